"""What a seed gives, written again from Headlight's headers: random numbers, sequences of a task,
initial weights."""
import math

import torch

WORD = (1 << 64) - 1


def splitmix64(x):
    """The next state, and the number drawn."""
    x = (x + 0x9E3779B97F4A7C15) & WORD
    z = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & WORD
    return x, z ^ (z >> 31)


def rotated_left(x, by):
    return ((x << by) | (x >> (64 - by))) & WORD


class Rng:
    """xoshiro256++, seeded through splitmix64; streams by name and index."""

    def __init__(self, seed):
        self.seed, self.words, x = seed, [], seed
        for _ in range(4):
            x, word = splitmix64(x)
            self.words.append(word)

    def stream(self, name, index=0):
        h = 0xCBF29CE484222325  # FNV-1a
        for byte in name.encode():
            h = ((h ^ byte) * 0x100000001B3) & WORD
        _, mixed = splitmix64(self.seed ^ h)
        return Rng(splitmix64(mixed ^ index)[1])

    def next(self):
        a, b, c, d = self.words
        result = (rotated_left((a + d) & WORD, 23) + a) & WORD
        self.words = [a ^ d ^ b, b ^ c ^ a, c ^ a ^ ((b << 17) & WORD), rotated_left(d ^ b, 45)]
        return result

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53

    def normal(self):
        while True:
            u = 2 * self.uniform() - 1
            v = 2 * self.uniform() - 1
            r = u * u + v * v
            if 0 < r < 1:
                return u * math.sqrt(-2 * math.log(r) / r)

    def below(self, n):
        while True:
            x = self.next()
            if x < WORD - WORD % n:
                return x % n

    def distinct(self, count, n):
        deck = list(range(n))
        for i in range(count):
            j = i + self.below(n - i)
            deck[i], deck[j] = deck[j], deck[i]
        return deck[:count]


def repeat(rng, length, n, vocab):
    segment = rng.distinct(length, vocab)
    return [segment[t % length] for t in range(n + 1)]


def copy(rng, length, n, vocab):
    prefix = [1 + token for token in rng.distinct(length, vocab - 1)]
    tokens = prefix + [0] + prefix
    while len(tokens) < n + 1:
        tokens.append(1 + rng.below(vocab - 1))
    return tokens[: n + 1]


def batch(task, seed, first, count, n, vocab):
    """Sequences first … first+count-1 of the training data: tokens and targets (count,n)."""
    sequences = []
    for i in range(first, first + count):
        rng = Rng(seed).stream("data").stream("sequence", i)
        length = n // 4 + rng.below(n // 2 - n // 4 + 1)
        sequences.append({"repeat": repeat, "copy": copy}[task](rng, length, n, vocab))
    all_tokens = torch.tensor(sequences)
    return all_tokens[:, :-1], all_tokens[:, 1:]


def initial_weights(seed, positions, n_layers, d, vocab, n_ctx):
    """An attention-only model without biases; drawn in the order in which its constructor makes the
    weights."""
    rng = Rng(seed).stream("init")

    def drawn(rows, columns, fan_in):
        numbers = [rng.normal() for _ in range(rows * columns)]
        return torch.tensor(numbers).reshape(rows, columns) / math.sqrt(fan_in)

    def norm():
        return {"w": torch.ones(d), "b": torch.zeros(d)}

    embed, unembed = drawn(vocab, d, d), drawn(d, vocab, d)
    p = {"embed.W_E": embed}
    if positions in ("learned", "learned-qk"):
        p["pos_embed.W_pos"] = drawn(n_ctx, d, d)
    for i in range(n_layers):
        p |= {f"blocks.{i}.ln1.{name}": x for name, x in norm().items()}
        p |= {f"blocks.{i}.attn.{name}": drawn(d, d, d) for name in ("W_Q", "W_K", "W_V", "W_O")}
    p |= {f"ln_final.{name}": x for name, x in norm().items()}
    return {name: x.requires_grad_() for name, x in (p | {"unembed.W_U": unembed}).items()}
