"""A model of Headlight in PyTorch, with its settings below and its weights in a safetensors file.

    python3 THIS_FILE model.safetensors 5 3 8               prints the logits after the tokens 5, 3, 8
    python3 THIS_FILE model.safetensors 0 --source 5 3 8    for an encoder-decoder: its encoder reads 5, 3, 8

    import THIS_FILE as m
    model = m.load("model.safetensors")            # a torch.nn.Module; its state_dict has Headlight's names
    logits = model(torch.tensor([[5, 3, 8]]))      # (B, n) tokens -> (B, n, d_vocab)
    m.save(model, "changed.safetensors")           # Headlight reads this file back

It needs only PyTorch. An encoder-decoder is called with its source: model(tokens, source).
"""
import json
import math
import struct
import sys

import torch

CONFIG = json.loads(r"""
@CONFIG@
""")

DTYPES = {"F32": torch.float32, "F64": torch.float64}


def read_safetensors(path):
    """The file's arrays by name: 8 bytes of length, a JSON header, the numbers."""
    with open(path, "rb") as file:
        data = file.read()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + size])
    arrays = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        dtype = entry["dtype"]
        if dtype not in DTYPES:
            raise ValueError(f"'{name}' of '{path}' has the number type {dtype}; only F32 and F64 can be read.")
        numbers = torch.frombuffer(bytearray(data[begin:end]), dtype=DTYPES[dtype])
        arrays[name] = numbers.reshape(entry["shape"])
    return arrays


def save(model, path):
    """Writes the parameters so that Headlight, or any reader of safetensors, can load them."""
    header, parts, end = {}, [], 0
    for name, array in model.state_dict().items():
        numbers = array.detach().to("cpu", torch.float32).contiguous().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [end, end + len(numbers)]}
        parts.append(numbers)
        end += len(numbers)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


class Part(torch.nn.Module):
    """A node of the tree of parameters: blocks.0.attn.W_Q is the parameter W_Q of a part of a part."""

    def __getitem__(self, index):
        return getattr(self, str(index))

    def get(self, name):
        return getattr(self, name, None)

    def put(self, path, array):
        name, _, rest = path.partition(".")
        if not rest:
            self.register_parameter(name, torch.nn.Parameter(array))
            return
        if not hasattr(self, name):
            self.add_module(name, Part())
        getattr(self, name).put(rest, array)


def load(path, config=None):
    model = Model(config or CONFIG)
    for name, array in read_safetensors(path).items():
        model.put(name, array)
    return model


def norm(kind, part, x, eps=1e-5):
    """Layer norm (with a mean), RMS norm (without one), or x for the kind "none" and where there is no norm."""
    if part is None or kind == "none":
        return x
    if kind == "layer":
        x = x - x.mean(-1, keepdim=True)
    y = x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) * part.w
    return y if part.get("b") is None else y + part.b


def gelu(x):
    """The form with tanh (Hendrycks and Gimpel 2016)."""
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def rotary(x, base=10000.0):
    """Turns pairs of coordinates i and i + d_head/2 of x (B, H, n, d_head) by their position's angles."""
    half = x.shape[-1] // 2
    rates = base ** (-2.0 * torch.arange(half, dtype=torch.float64) / x.shape[-1])
    angles = torch.arange(x.shape[-2], dtype=torch.float64)[:, None] * rates
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def alibi_slopes(heads):
    """2^(-8h/H) for a power of two; for other counts as in the paper's code: every second of the next power's."""
    power = 2 ** math.floor(math.log2(heads))
    slopes = [2.0 ** (-8.0 * (h + 1) / power) for h in range(power)]
    return slopes + [2.0 ** (-8.0 * (2 * h + 1) / (2 * power)) for h in range(heads - power)]


def t5_bucket(distance, causal, buckets, longest):
    """The bucket of query position minus key position (Raffel et al. 2020)."""
    first = 0
    if not causal:
        buckets //= 2
        first = buckets if distance < 0 else 0
        distance = abs(distance)
    distance = max(distance, 0)
    exact = buckets // 2
    if distance < exact:
        return first + distance
    far = exact + int(math.log(distance / exact) / math.log(longest / exact) * (buckets - exact))
    return first + min(far, buckets - 1)


def sinusoids(n, d):
    """sin in the even columns, cos in the odd ones, of waves of many lengths; about as long as an embedding."""
    column = torch.arange(d)
    rates = 10000.0 ** (-(column - column % 2).double() / d)
    angles = torch.arange(n, dtype=torch.float64)[:, None] * rates
    return math.sqrt(2 / d) * torch.where(column % 2 == 0, angles.sin(), angles.cos())


def projected(attn, name, x, heads):
    """x W + b, with the heads on an axis of their own: (B, n, d_model) -> (B, heads, n, width)."""
    y = x @ attn.get("W_" + name)
    if attn.get("b_" + name) is not None:
        y = y + attn.get("b_" + name)
    return y.reshape(*y.shape[:2], heads, -1).transpose(1, 2)


class Model(Part):
    def __init__(self, config):
        super().__init__()
        self.config = config

    def forward(self, tokens, source=None):
        """(B, n) tokens -> (B, n, d_vocab) logits; (B, m) source for an encoder-decoder."""
        kind, memory = self.config["architecture"], None
        if kind == "encoder-decoder":
            memory = norm(self.config["norm"], self.get("encoder_ln_final"), self.stack(self.encoder, source, causal=False))
        x = norm(self.config["norm"], self.get("ln_final"), self.stack(self.blocks, tokens, kind != "encoder", memory))
        return x @ (self.embed.W_E.T if self.get("unembed") is None else self.unembed.W_U)

    def stack(self, blocks, tokens, causal, memory=None):
        x, positions = self.embed.W_E[tokens], None
        n, kind = tokens.shape[1], self.config["positions"]
        if kind in ("learned", "learned-qk"):
            positions = self.pos_embed.W_pos[:n]
        if kind == "sinusoidal":
            positions = sinusoids(n, x.shape[-1]).to(x.dtype)
        if kind != "learned-qk" and positions is not None:
            x, positions = x + positions, None
        for i in range(self.config["n_layers"]):
            x = self.block(blocks[i], x, positions, causal, memory)
        return x

    def block(self, block, x, positions, causal, memory):
        def attend(y):
            placed = y if positions is None else y + positions
            return self.attention(block.attn, placed, placed, y, causal)

        x = self.add(block.get("ln1"), x, attend)
        if memory is not None:
            x = self.add(block.get("ln_cross"), x, lambda y: self.attention(block.cross_attn, y, memory, memory, None))
        return x if block.get("mlp") is None else self.add(block.get("ln2"), x, lambda y: self.mlp(block.mlp, y))

    def add(self, part, x, layer):
        """A layer on the residual stream, with its norm before the layer or after the sum."""
        kind = self.config["norm"]
        return norm(kind, part, x + layer(x)) if self.config["norm_place"] == "post" else x + layer(norm(kind, part, x))

    def mlp(self, mlp, x):
        y = x @ mlp.W_in
        if self.config["mlp"] == "swiglu":
            y = torch.nn.functional.silu(x @ mlp.W_gate) * y
        if mlp.get("b_in") is not None:
            y = y + mlp.b_in
        if self.config["mlp"] != "swiglu":
            y = torch.relu(y) if self.config["mlp"] == "relu" else gelu(y)
        y = y @ mlp.W_out
        return y if mlp.get("b_out") is None else y + mlp.b_out

    def attention(self, attn, query, key, value, causal):
        """`causal` is None for cross-attention, which has no positions of its own."""
        c, heads = self.config, self.config["n_heads"]
        groups = c["n_kv_heads"] or heads
        q, k, v = self.heads_of(attn, query, key, value, heads, groups)
        if attn.get("smear") is not None:
            keep = torch.sigmoid(attn.smear)[:, None, None]
            k = torch.cat([k[:, :, :1], keep * k[:, :, 1:] + (1 - keep) * k[:, :, :-1]], 2)
        q, k = norm(c["qk_norm"], attn.get("q_norm"), q), norm(c["qk_norm"], attn.get("k_norm"), k)
        if c["positions"] == "rotary" and causal is not None:
            q, k = rotary(q), rotary(k)
        k, v = (x.repeat_interleave(heads // groups, 1) for x in (k, v))
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
        if c["score_cap"] > 0:
            scores = c["score_cap"] * torch.tanh(scores / c["score_cap"])
        scores = self.placed(attn, scores, causal)
        if attn.get("sinks") is not None:
            sinks = attn.sinks[:, None, None].expand(*scores.shape[:3], 1)
            pattern = torch.cat([scores, sinks], -1).softmax(-1)[..., :-1]
        else:
            pattern = scores.softmax(-1)
        z = (pattern @ v).transpose(1, 2).flatten(2)  # (B, n, H*d_head)
        out = z @ attn.W_O
        return out if attn.get("b_O") is None else out + attn.b_O

    def heads_of(self, attn, query, key, value, heads, groups):
        if attn.get("W_QKV") is None:
            return projected(attn, "Q", query, heads), projected(attn, "K", key, groups), projected(attn, "V", value, groups)
        y = projected(attn, "QKV", query, heads + 2 * groups)
        return y[:, :heads], y[:, heads : heads + groups], y[:, heads + groups :]

    def placed(self, attn, scores, causal):
        """The scores with the biases of their distances, and -inf where a key is hidden."""
        if causal is None:
            return scores
        n, m = scores.shape[-2:]
        distance = torch.arange(n)[:, None] - torch.arange(m)[None, :]  # of query i and key j: i - j
        kind, longest = self.config["positions"], self.config["max_distance"]
        if kind == "alibi":
            slopes = torch.tensor(alibi_slopes(scores.shape[1]), dtype=scores.dtype)
            scores = scores - slopes[:, None, None] * distance.abs()
        if kind == "relative":
            first = 0 if causal else -longest
            scores = scores + attn.rel_bias[:, distance.clamp(first, longest) - first]
        if kind == "t5":
            buckets = attn.rel_bias.shape[1]
            bucket = [[t5_bucket(int(x), causal, buckets, longest) for x in row] for row in distance]
            scores = scores + attn.rel_bias[:, torch.tensor(bucket)]
        hidden = distance < 0 if causal else torch.zeros_like(distance, dtype=torch.bool)
        if self.config["window"] > 0:
            hidden = hidden | (distance.abs() >= self.config["window"])
        return scores.masked_fill(hidden, -math.inf)


def main(words):
    """MODEL TOKENS, for an encoder-decoder MODEL TOKENS --source TOKENS."""
    at = words.index("--source") if "--source" in words else len(words)
    tokens, source = words[1:at], words[at + 1 :]
    if not tokens:
        sys.exit(__doc__)
    if bool(source) != (CONFIG["architecture"] == "encoder-decoder"):
        sys.exit("This model has no encoder, so it takes no --source." if source else
                 "This model is an encoder-decoder: it needs --source and the tokens that its encoder reads.")
    rows = [torch.tensor([[int(x) for x in part]]) if part else None for part in (tokens, source)]
    with torch.no_grad():
        print(load(words[0])(*rows)[0, -1])


if __name__ == "__main__":
    main(sys.argv[1:])
