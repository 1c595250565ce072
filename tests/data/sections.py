"""Write one section of a framework's recorded dtypes, beside this script."""
import json, pathlib, re

def dump(document):
    """The text of a file of recorded dtypes."""
    text = json.dumps(document, indent=1, ensure_ascii=False)
    return re.sub(r'"dtypes": \[.*?\]', lambda m: re.sub(r"\n *", " ", m[0]), text, count=1, flags=re.S) + "\n"

def write_section(name, version, section, lines):
    """Puts lines under a name into the file of a framework, which has to be recorded from that version."""
    path = pathlib.Path(__file__).resolve().with_name(f"{name}.json")
    document = json.loads(path.read_text())
    assert document["version"].split(" ")[0] == version.split(" ")[0], (document["version"], version)
    document["sections"][section] = lines
    path.write_text(dump(document))
    print(f"{path.name}: {len(lines)} lines of `{section}`, {version}")
