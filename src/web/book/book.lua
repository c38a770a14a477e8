-- A filter of pandoc: makes a chapter of the book of a text of the lessons.
--   pandoc --lua-filter=book.lua --id-prefix=lesson-03- … lessons/03_reverse_mode/README.md
-- Below a README.md it folds the hints, the answers and the program that stand beside it.

local prefix = PANDOC_WRITER_OPTIONS.identifier_prefix
local folder, file = PANDOC_STATE.input_files[1]:match('^(.*/)([^/]*)$')

local here = PANDOC_SCRIPT_FILE:match('^(.*/)')
local math_of = dofile(here .. 'typed_math.lua')

local function html(text, ...) return pandoc.RawBlock('html', text:format(...)) end

local function written(block)
  return pandoc.write(pandoc.Pandoc { block }, 'html5', { html_math_method = 'mathml' })
end

local function text_of(path)
  local opened = assert(io.open(path, 'rb'))
  local text = opened:read('a')
  opened:close()
  return text
end

-- The names of the figures, which the book's script has too.
local figures = text_of(here .. 'figures/figures.js')
  :match('const figures = (%b{})')

local function blocks_of(text) return pandoc.read(text, 'gfm+tex_math_dollars').blocks end

-- Where a link leads in the book: "../03_reverse_mode/README.md#2-matmul" to "lesson-03-2-matmul".
-- Nil for a file that is not in the book.
local function place_in_book(link)
  local lesson, section = link:match('^%.?%.?/?(%d%d)_[%l_]+/README%.md#?(.*)$')
  local function below(place, at) return at == '' and place or place .. '-' .. at end
  if lesson then return below('lesson-' .. lesson, section) end
  local answer = link:match('^questions%.md#?(.*)$')
  if answer == 'answers' then answer = '' end
  if answer then return below(prefix .. 'answers', answer) end
  if link == 'hints.md' then return prefix .. 'hints' end
  if link == 'lesson.cpp' then return prefix .. 'code' end
  return link:match('^%.?%.?/?(glossary)%.md')
end

-- From the outside in, so that what stands in a picture's description stays as it is.
local chapter = { traverse = 'topdown' }

function chapter.Link(link)
  if link.target:find('^#') then return nil end  -- pandoc adds the prefix
  local place = place_in_book(link.target)
  if not place then return pandoc.Span(link.content, { title = link.target }) end
  table.insert(link.content, 1, pandoc.RawInline('html', '<a href="#' .. place .. '">'))
  table.insert(link.content, pandoc.RawInline('html', '</a>'))
  return link.content
end

-- As data of an <img>, so that a picture keeps its own style for dark pages; on the page's own ground.
local ground = '<rect width="100%%" height="100%%" fill="#ffffff"/>\n?'
function chapter.Image(image)
  if not image.src:find('%.svg$') then return image, false end
  local code = function(character) return ('%%%02X'):format(character:byte()) end
  local svg = text_of(folder .. image.src):gsub(ground, '', 1)
  image.src = 'data:image/svg+xml,' .. svg:gsub('[^%w ,:;=/()-]', code)
  return image, false
end

-- The search reads `typed` where a formula stands.
function chapter.Inlines(inlines)
  return math_of(inlines, function(tex, typed)
    local mathml = chapter.Math(pandoc.Math('InlineMath', tex)).text
    return pandoc.RawInline('html', (mathml:gsub('<math ', '<math alttext="' .. typed .. '" ', 1)))
  end)
end

-- A forge writes $`x`$, and pandoc lets every bracket grow with what stands between. In TeX only
-- those of \left and \right do.
function chapter.Math(math)
  math.text = math.text:gsub('^`(.*)`$', '%1')
  local mathml = written(pandoc.Plain { math }):gsub('<annotation .-</annotation>', '')
  -- The letters of a name are one identifier, which is upright.
  mathml = mathml:gsub('<mstyle mathvariant="normal">(.-)</mstyle>', function(letters)
    local name, others = letters:gsub('<mi>([%a_])</mi>', '%1'), letters:gsub('<mi>[%a_]</mi>', '')
    return #name > 1 and others == '' and '<mi>' .. name .. '</mi>'
  end)
  if not math.text:find('\\left', 1, true) then
    mathml = mathml:gsub('stretchy="true"', 'stretchy="false"')
  end
  return pandoc.RawInline('html', mathml)
end

-- A forge writes a formula as a block of code too. Lines of code come without links to themselves.
function chapter.CodeBlock(block)
  if block.classes[1] == 'math' then
    return pandoc.Para { chapter.Math(pandoc.Math('DisplayMath', '\n' .. block.text .. '\n')) }
  end
  -- To find no language of this name it would first read all that it knows, in a quarter of a second.
  local plain = block.classes[1] == 'text'
  if plain then block.classes = {} end
  local lines = written(block):gsub('<a href="#cb.-</a>', ''):gsub(' id="cb.-"', '')
  if plain then lines = lines:gsub('^<pre>', '<pre class="text">') end
  return pandoc.RawBlock('html', lines)
end

-- The guesses at the question before a text, each with what it is answered:
-- <!-- guess
-- - Yes. | A common guess. Section 2 …
-- -->
local function asked(guesses)
  local folded = pandoc.Blocks { html('<div class="guess" role="group" aria-label="Your guess">') }
  for guess, answer in guesses:gmatch('%- ([^\n]-) | ([^\n]+)\n') do
    folded:insert(html('<details name="%sguess"><summary>%s</summary>', prefix, guess))
    folded:extend(blocks_of(answer))
    folded:insert(html('</details>'))
  end
  folded:insert(html('</div>'))
  return folded
end

-- "<!-- live: scale -->" is the place of a figure that figures/figures.js names and fills, and what
-- stands in "<!-- book: … -->" is for the book alone.
function chapter.RawBlock(block)
  local only = block.text:match('^<!%-%- book: (.*) %-%->%s*$')
  if only then return pandoc.Div(blocks_of(only), { class = 'lab' }), false end
  local guesses = block.text:match('^<!%-%- guess\n(.*)%-%->%s*$')
  if guesses then return asked(guesses) end
  local name = block.text:match('^<!%-%- live: (.*) %-%->%s*$')
  if not name then return nil end
  if not (name:find('^%l+$') and figures:find('\n  ' .. name .. '[,:]')) then
    local hint = 'Hint: give it a line in src/web/book/figures/figures.js.'
    error("the book has no live figure '" .. name .. "'. " .. hint, 0)
  end
  return html('<figure class="live" data-live="%s"></figure>', name)
end

-- The numbered hints below each "## part", each folded.
local function folded_hints(text)
  local folded, part = pandoc.Blocks {}, nil
  for _, block in ipairs(blocks_of(text)) do
    if block.t == 'Header' then
      part = block.level == 2 and pandoc.utils.stringify(block)
    elseif part and block.t == 'OrderedList' then
      for number, hint in ipairs(block.content) do
        folded:insert(html('<details><summary><code>%s</code>, hint %d</summary>', part, number))
        for _, words in ipairs(hint) do
          folded:insert(words.t == 'Plain' and pandoc.Para(words.content) or words)
        end
        folded:insert(html('</details>'))
      end
    end
  end
  return folded
end

-- From the first heading of the second level on.
local function answers(text)
  local blocks = blocks_of(text)
  while blocks[1] and not (blocks[1].t == 'Header' and blocks[1].level == 2) do
    table.remove(blocks, 1)
  end
  for _, block in ipairs(blocks) do
    if block.t == 'Header' then block.identifier = 'answers-' .. block.identifier end
  end
  return blocks
end

local function program(text) return { pandoc.CodeBlock(text, { class = 'cpp' }) } end

function Pandoc(doc)
  local function fold(id, summary, name, contents)
    local found, text = pcall(text_of, folder .. name)
    if not found then return end
    local open = '<details class="beside" id="%s"><summary>%s</summary>'
    doc.blocks:insert(html(open, prefix .. id, summary))
    doc.blocks:extend(contents(text))
    doc.blocks:insert(html('</details>'))
  end
  if file == 'README.md' then
    fold('hints', 'Hints for the exercise', 'hints.md', folded_hints)
    fold('answers', 'Answers', 'questions.md', answers)
    fold('code', 'The program: lesson.cpp', 'lesson.cpp', program)
    local whole, text = pcall(text_of, folder .. 'all_of_it.cpp')  -- the one file, to be read
    if whole then doc.blocks:extend(program(text)) end
  end
  return doc:walk(chapter)
end
