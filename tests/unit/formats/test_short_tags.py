"""CloudFormation's short tags in YAML: their long form in a template, refused everywhere else."""

from __future__ import annotations

import pytest
from quotaproof.spec.formats import InputError, yaml_text
from quotaproof.spec.formats.scenario_text import load_scenario


def value(text: str) -> object:
    """What a tagged text is in a template."""
    return yaml_text.parse("t.yaml", f"Resources:\n  A: {text}\n").value["Resources"]["A"]


@pytest.mark.parametrize(
    ("text", "long"),
    [
        ("!Ref B", {"Ref": "B"}),
        ("!Ref '3'", {"Ref": "3"}),
        ("!GetAtt B.Arn", {"Fn::GetAtt": ["B", "Arn"]}),
        ("!GetAtt B.Outputs.Arn", {"Fn::GetAtt": ["B", "Outputs.Arn"]}),
        ("!GetAtt [B, Arn]", {"Fn::GetAtt": ["B", "Arn"]}),
        ("!Sub '${B}-x'", {"Fn::Sub": "${B}-x"}),
        ("!Sub ['${B}', {B: !Ref C}]", {"Fn::Sub": ["${B}", {"B": {"Ref": "C"}}]}),
        ("!If [C, !Ref D, !Ref E]", {"Fn::If": ["C", {"Ref": "D"}, {"Ref": "E"}]}),
        ("!Transform {Name: M}", {"Fn::Transform": {"Name": "M"}}),
        ("[!Ref B, 3, !Ref C]", [{"Ref": "B"}, 3, {"Ref": "C"}]),
        ("{x: !Ref B, y: !Condition C}", {"x": {"Ref": "B"}, "y": {"Condition": "C"}}),
        ("!Join [',', []]", {"Fn::Join": [",", []]}),
        ("!Base64 {}", {"Fn::Base64": {}}),
    ],
)
def test_a_short_tag_is_its_long_form(text, long):
    assert value(text) == long


def test_a_template_that_is_itself_tagged_is_no_template():
    with pytest.raises(InputError, match=r'a tag \("!Ref"\)'):
        yaml_text.parse("t.yaml", "!Ref {Resources: {}}")


def test_parts_of_a_tagged_value_keep_their_lines():
    document = yaml_text.parse("t.yaml", "Resources:\n  A:\n    B: !Join\n      - x\n      - [y, !Ref C]\n  D: 3\n")
    assert document.line(("Resources", "A", "B", "Fn::Join", 1, 1, "Ref")) == 5
    assert document.line(("Resources", "D")) == 6


@pytest.mark.parametrize("tag", ["!!python/object:os.system", "!Nobody", "!ref", "!", "!!str"])
def test_other_tags_stay_refused_in_a_template(tag):
    with pytest.raises(InputError) as caught:
        value(f"{tag} B")
    assert caught.value.what.startswith("a tag (")
    assert caught.value.where.startswith("t.yaml:2")


def test_a_short_tag_on_a_key_is_refused():
    with pytest.raises(InputError) as caught:
        value("{!Ref B: 3}")
    assert caught.value.what == 'a tag ("!Ref")'


def test_a_short_tag_outside_a_template_is_refused(refused, write, examples):
    text = (examples / "own-form" / "queue.yaml").read_text().replace("foundation", "!Ref foundation")
    error = refused(write("q.yaml", text))
    assert error.what == 'a tag ("!Ref")'
    assert error.where.startswith("q.yaml:")


def test_a_short_tag_in_a_scenario_is_refused(write, examples):
    text = (examples / "scenarios" / "half-of-three.yaml").read_text().replace("name:", "name: !Sub", 1)
    with pytest.raises(InputError) as caught:
        load_scenario(write("s.yaml", text))
    assert caught.value.what == 'a tag ("!Sub")'
