-- Formulas that a text has typed, such as "√d_k" and "2·n²·d", as TeX. In a terminal and on a forge they
-- stay as they are. math_of(inlines, set) returns the inlines with set(TeX, typed) in their places.

local function set_of(words)
  local set = {}
  for word in words:gmatch('%S+') do set[word] = true end
  return set
end

local names = set_of('softmax log exp sin cos tanh max min mean relu norm heads')
local indices = set_of('head heads model mlp ctx kv_heads KV')
local raised = {
  ['⁰'] = '0', ['¹'] = '1', ['²'] = '2', ['³'] = '3', ['⁴'] = '4', ['⁵'] = '5', ['⁶'] = '6',
  ['⁷'] = '7', ['⁸'] = '8', ['⁹'] = '9', ['⁻'] = '-', ['ˣ'] = 'x', ['ᵀ'] = 'T', ['ᵏ'] = 'k',
}
local lowered = { ['₀'] = '0', ['₁'] = '1', ['₂'] = '2' }
local barred = { ['ȳ'] = 'y', ['Ȳ'] = 'Y' }
local signs = {
  ['·'] = '\\cdot ', ['−'] = '-', ['⊙'] = '\\odot ', ['∂'] = '\\partial ', ['ε'] = '\\varepsilon ',
  ['π'] = '\\pi ', ['η'] = '\\eta ', ['½'] = '\\tfrac12 ', ['¼'] = '\\tfrac14 ', ['′'] = "'",
}
for plain in ('/+-=()[]|\''):gmatch('.') do signs[plain] = plain end
local operators = {
  ['+'] = '+', ['−'] = '-', ['-'] = '-', ['='] = '=', ['≤'] = '\\le', ['·'] = '\\cdot',
}

local character = '[%z\1-\127\194-\244][\128-\191]*'
local accents = { ['\204\132'] = '\\bar ', ['\204\130'] = '\\hat ' }  -- that combine with a letter

-- What a root or an exponent takes: "(…)", "d_k", "v̂", a number or a letter.
local function argument(text, at)
  for _, kind in ipairs { '%b()', '%a_%a+', '%a\204[\130\132]', '%d+', '%a' } do
    local found = text:match('^' .. kind, at)
    if found then return found end
  end
end

-- The TeX of a word, and whether it shows that it is a formula; nil for any other word.
local function tex_of(text)
  local out, at, formula = {}, 1, false
  local function add(tex, width)
    out[#out + 1] = tex
    at = at + width
  end
  local function take_argument(opening, width)
    local taken = argument(text, at + width)
    local inside = taken and tex_of(taken:match('^%((.*)%)$') or taken)
    if inside then add(opening .. '{' .. inside .. '}', width + #taken) end
    formula = true
    return inside
  end
  while at <= #text do
    local letters, one = text:match('^%a+', at), text:match('^' .. character, at)
    local after = letters and at + #letters
    local mark = letters and accents[text:sub(after, after + 1)]
    local index = letters and text:match('^_([%a_]+)', after)
    if letters and names[letters] then
      add('\\mathrm{' .. letters .. '}', #letters)
    elseif letters and #letters > 2 and letters:find('%l') then
      return nil
    elseif mark then
      add(letters:sub(1, -2) .. mark .. letters:sub(-1), #letters + 2)
      formula = true
    elseif index then
      if #index > 1 and not indices[index] then return nil end
      local below = #index > 1 and '\\mathrm{' .. index:gsub('_', '\\_') .. '}' or index
      add(letters .. '_{' .. below .. '}', #letters + 1 + #index)
      formula = true
    elseif letters then
      add(letters, #letters)
    elseif barred[one] then
      add('\\bar ' .. barred[one], #one)
      formula = true
    elseif one == '√' then
      if not take_argument('\\sqrt', #one) then return nil end
    elseif one == '^' then
      if not take_argument('^', #one) then return nil end
    elseif raised[one] then
      local power = ''
      while raised[one] do
        power, at = power .. raised[one], at + #one
        one = text:match('^' .. character, at) or ''
      end
      add('^{' .. power .. '}', 0)
      formula = true
    elseif lowered[one] then
      add('_{' .. lowered[one] .. '}', #one)
      formula = true
    elseif text:find('^%d', at) then
      local number = text:match('^%d+%.?%d*', at)
      add(number, #number)
      for thousand in text:sub(at):match('^[,%d]*'):gmatch(',(%d%d%d)') do add('{,}' .. thousand, 4) end
    elseif one == ',' then
      add(',', 1)
    elseif signs[one] then
      formula = formula or one == '∂' or (one == '·' and (text:find('%a·') or text:find('·%a')))
      add(signs[one], #one)
    else
      return nil
    end
  end
  return table.concat(out), formula
end

-- A word as what stands before a formula, the formula, and what stands behind it.
local function parted(word)
  local before, core, behind = word:match('^(["]*)(.-)([.,;:?!"]*)$')
  local function count(sign) return select(2, core:gsub('%' .. sign, '')) end
  while count('(') > count(')') and core:find('^%(') do before, core = before .. '(', core:sub(2) end
  while count(')') > count('(') and core:find('%)$') do behind, core = ')' .. behind, core:sub(1, -2) end
  return before, core, behind
end

local spaces = set_of('Space SoftBreak')

local function balanced(core)
  local stripped = core:gsub('%b()', ''):gsub('%b[]', '')
  return not stripped:find('[%[%]()]')
end

-- The longest row of operands and operators in turn that begins with the word at `first`: where it ends, its
-- parts, and what stands before it.
local function row_from(inlines, first)
  local parts, last, formula, opening = {}, nil, false, ''
  local at = first
  while inlines[at] and inlines[at].t == 'Str' do
    local before, core, behind = parted(inlines[at].text)
    local tex, shows = tex_of(core)
    if core == '' or names[core] or not tex or (at > first and before ~= '') then break end
    if not shows and not balanced(core) then break end
    if at == first then opening = before end
    parts[#parts + 1] = { tex = tex, typed = core, behind = behind }
    formula, last = formula or shows, at
    local sign = inlines[at + 2]
    if behind ~= '' or not (sign and sign.t == 'Str' and operators[sign.text]) then break end
    local after = inlines[at + 3]
    if not (spaces[inlines[at + 1].t] and after and spaces[after.t]) then break end
    parts[#parts].sign = sign.text
    at = at + 4
  end
  return formula and last, parts, opening
end

local function math_of(inlines, set)
  local out, at = pandoc.Inlines {}, 1
  while at <= #inlines do
    local last, parts, opening = row_from(inlines, at)
    if last then
      local tex, typed, behind = '', '', ''
      for i, part in ipairs(parts) do
        tex, typed, behind = tex .. part.tex, typed .. part.typed, part.behind
        if i < #parts then
          tex = tex .. ' ' .. operators[part.sign] .. ' '
          typed = typed .. ' ' .. part.sign .. ' '
        end
      end
      if opening ~= '' then out:insert(pandoc.Str(opening)) end
      out:insert(set(tex, typed))
      if behind ~= '' then out:insert(pandoc.Str(behind)) end
      at = last + 1
    else
      out:insert(inlines[at])
      at = at + 1
    end
  end
  return out
end

return math_of
