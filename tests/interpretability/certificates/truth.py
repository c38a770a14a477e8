"""What is true of a run, by interventions on its PyTorch module.

Nothing here comes from the certificate, and nothing is selected by whether it is the answer. The
sequences are the task's own. What followed earlier copies of a query's token is exchanged for another
token, and the answer must be that one. The tokens in front of a query that equal those in front of its
earlier copy are exchanged, and the answer must stay. All heads that look at followers are mean-ablated; then their
keys (or queries) are computed from a stream in which every earlier head has written what it writes on
other sequences.
"""
import importlib.util
import pathlib

import torch

SOLVED, LOOKS, GONE, KEPT = 0.9, 0.2, 0.25, 0.5
CIRCUIT, OTHER, UNSOLVED = (
    "induction circuit",
    "solves the task another way",
    "does not solve the task",
)


class Changes:
    """What a run replaces: heads' outputs, and the streams that keys or queries are made from."""

    def __init__(self, z=None, keys=None, queries=None, smear=True):
        self.z, self.keys, self.queries, self.smear = z or {}, keys or {}, queries or {}, smear


def probed(module):
    """The model's class, which records and takes changes."""

    class Probed(module.Model):
        def run(self, tokens, changes=None):
            self.changes, self.patterns, self.zs, self.streams = changes or Changes(), [], [], []
            with torch.no_grad():
                return self(tokens)

        def block(self, block, x, positions, causal, memory):
            self.streams.append(x)
            self.normed = None if self.config["norm_place"] == "post" else block.get("ln1")
            self.positions = positions
            return super().block(block, x, positions, causal, memory)

        def seen(self, stream):
            y = module.norm(self.config["norm"], self.normed, stream)
            return y if self.positions is None else y + self.positions

        def attention(self, attn, query, key, value, causal):
            c, layer, heads = self.config, len(self.zs), self.config["n_heads"]
            groups = c["n_kv_heads"] or heads
            q, k, v = self.heads_of(attn, query, key, value, heads, groups)
            for head, stream in self.changes.queries.get(layer, []):
                y = self.seen(stream)
                q[:, head] = self.heads_of(attn, y, y, y, heads, groups)[0][:, head]
            for head, stream in self.changes.keys.get(layer, []):
                y, group = self.seen(stream), head * groups // heads
                k[:, group] = self.heads_of(attn, y, y, y, heads, groups)[1][:, group]
            if attn.get("smear") is not None and self.changes.smear:
                keep = torch.sigmoid(attn.smear)[:, None, None]
                k = torch.cat([k[:, :, :1], keep * k[:, :, 1:] + (1 - keep) * k[:, :, :-1]], 2)
            q = module.norm(c["qk_norm"], attn.get("q_norm"), q)
            k = module.norm(c["qk_norm"], attn.get("k_norm"), k)
            if c["positions"] == "rotary":
                q, k = module.rotary(q), module.rotary(k)
            k, v = (x.repeat_interleave(heads // groups, 1) for x in (k, v))
            scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
            if c["score_cap"] > 0:
                scores = c["score_cap"] * torch.tanh(scores / c["score_cap"])
            scores = self.placed(attn, scores, causal)
            if attn.get("sinks") is not None:
                sinks = attn.sinks[:, None, None].expand(*scores.shape[:3], 1)
                scores = torch.cat([scores, sinks], -1)
            pattern = scores.softmax(-1)[..., : k.shape[2]]
            z = pattern @ v  # (B, H, n, d_head)
            for head, value in self.changes.z.get(layer, []):
                z[:, head] = value
            self.patterns.append(pattern)
            self.zs.append(z)
            out = z.transpose(1, 2).flatten(2) @ attn.W_O
            return out if attn.get("b_O") is None else out + attn.b_O

    return Probed


class Examined:
    def __init__(self, file, run):
        spec = importlib.util.spec_from_file_location("exported", file + ".py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        self.model = probed(module)(module.CONFIG)
        for name, array in module.read_safetensors(pathlib.Path(run) / "model.safetensors").items():
            self.model.put(name, array)
        self.read = module.read_safetensors
        batch = self.read(file + ".batch")
        self.tokens, self.targets = batch["tokens"].long(), batch["targets"].long()
        self.asked = batch["predictable"].bool()
        self.names = batch["plain"].nonzero()[:, 0]
        self.config = self.model.config
        torch.manual_seed(0)

    def accuracy(self, changes=None):
        right = self.model.run(self.tokens, changes).argmax(-1) == self.targets
        return float(right[self.asked].float().mean())

    def renamed(self):
        """The same sequences with every token exchanged for another."""
        to = torch.arange(self.model.embed.W_E.shape[0])
        order = self.names[torch.randperm(len(self.names))]
        to[order] = order.roll(1)
        return to[self.tokens]

    def unrelated(self):
        """Other tokens, as different as the vocabulary allows, in the places of those that are not
        special."""
        rows = []
        for row in self.tokens:
            times = -(-len(row) // len(self.names))
            drawn = torch.cat([self.names[torch.randperm(len(self.names))] for _ in range(times)])[
                : len(row)
            ]
            rows.append(torch.where(torch.isin(row, self.names), drawn, row))
        return torch.stack(rows)

    def followers(self):
        """(B, n, n): of an asked query the keys after earlier copies of its token."""
        same = (self.tokens[:, :, None] == self.tokens[:, None]).tril(-2)
        return torch.nn.functional.pad(same, (1, 0))[..., :-1] & self.asked[..., None]

    def interchanged(self, questions=256):
        """How often the answer is what an exchange has put after the earlier copies."""
        keys = self.followers()
        rows = keys.any(-1).nonzero()
        if len(rows) == 0:
            return None
        rows = rows[torch.randperm(len(rows))[:questions]]
        answers = self.targets[self.asked].unique()
        others = answers[torch.randint(len(answers), (len(rows),))]
        b, t = rows.unbind(1)
        tokens = torch.where(keys[b, t], others[:, None], self.tokens[b])
        at = torch.arange(len(rows))
        answered = torch.cat([self.model.run(some) for some in tokens.split(64)])[at, t].argmax(-1)
        new = others != self.targets[b, t]
        return float((answered == others)[new].float().mean())

    def after_one(self, questions=256):
        """How often the answer is right when no token in front of the query equals the one in front of
        an earlier copy."""
        keys = self.followers()
        rows = keys.any(-1).nonzero()
        rows = rows[torch.randperm(len(rows))[:questions]]
        b, t = rows.unbind(1)
        tokens = self.tokens[b].clone()
        for row, clean, query, followed in zip(tokens, self.tokens[b], t.tolist(), keys[b, t]):
            others = self.names[self.names != clean[query]]
            for copy in (followed.nonzero()[:, 0] - 1).tolist():
                back = 1
                while back <= copy and clean[copy - back] == clean[query - back]:
                    if query - back > copy + 1:
                        row[query - back] = others[torch.randint(len(others), ())]
                    back += 1
        answered = torch.cat([self.model.run(some) for some in tokens.split(64)])
        at = torch.arange(len(rows))
        return float((answered[at, t].argmax(-1) == self.targets[b, t]).float().mean())

    def looks(self):
        """The weight of each head on followers, above that in sequences without repeats:
        [layer][head]."""
        keys = self.followers()
        queries = keys.any(-1)
        if not queries.any():
            return None
        weights = []
        for tokens in (self.tokens, self.unrelated()):
            self.model.run(tokens)
            weights.append(
                [
                    ((p * keys[:, None]).sum(-1) * queries[:, None]).sum((0, 2)) / queries.sum()
                    for p in self.model.patterns
                ]
            )
        return [on - off for on, off in zip(*weights)]

    def streams_with(self, tokens):
        """The streams of a run on the clean tokens in which all heads write what they write on
        others."""
        self.model.run(tokens)
        z = {layer: list(enumerate(heads.unbind(1))) for layer, heads in enumerate(self.model.zs)}
        self.model.run(self.tokens, Changes(z=z))
        return self.model.streams

    def cut(self, looking, streams, keys=False, queries=False):
        into = {}
        for layer, head in looking:
            into.setdefault(layer, []).append((head, streams[layer]))
        return self.accuracy(Changes(keys=into if keys else {}, queries=into if queries else {}))

    def without(self, looking):
        self.model.run(self.tokens)
        z = {}
        for layer, head in looking:
            z.setdefault(layer, []).append((head, self.model.zs[layer][:, head].mean(0)))
        return self.accuracy(Changes(z=z))


def truth(x):
    """A verdict, and the accuracies that it rests on."""
    numbers = {"accuracy": x.accuracy()}
    if numbers["accuracy"] < SOLVED:
        return UNSOLVED, numbers
    numbers["interchanged"] = x.interchanged()
    lifts = x.looks()
    looking = (
        []
        if lifts is None
        else [
            (layer, head)
            for layer, heads in enumerate(lifts)
            for head, lift in enumerate(heads)
            if lift >= LOOKS
        ]
    )
    if not looking or numbers["interchanged"] < KEPT:
        return OTHER, numbers
    renamed, unrelated = x.streams_with(x.renamed()), x.streams_with(x.unrelated())
    numbers["without"] = x.without(looking)
    numbers["without any"] = x.without(
        [(layer, head) for layer, heads in enumerate(lifts) for head in range(len(heads))]
    )
    numbers["keys"] = x.cut(looking, renamed, keys=True)
    numbers["smear"] = x.accuracy(Changes(smear=False))
    numbers["tokens in queries"] = x.cut(looking, renamed, queries=True)
    numbers["places in queries"] = x.cut(looking, unrelated, queries=True)
    numbers["both"] = x.cut(looking, unrelated, keys=True, queries=True)
    numbers["cut"] = min(numbers["keys"], numbers["smear"])
    if numbers["tokens in queries"] > KEPT:  # the queries tell places, if anything
        numbers["cut"] = min(numbers["cut"], numbers["places in queries"], numbers["both"])
    numbers["after one"] = x.after_one()
    if numbers["after one"] < KEPT:
        return OTHER, numbers
    chance = numbers["without any"]
    left = (max(numbers["without"], numbers["cut"]) - chance) / (numbers["accuracy"] - chance)
    return CIRCUIT if left <= GONE else OTHER if left >= KEPT else "between", numbers
