// What the engine's script, which the book shares with the report, asks for by name.
headlight.text = { byId: (id) => document.getElementById(id) };
