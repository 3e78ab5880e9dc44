"""CDK's folder cdk.out: its templates are read, everything else in it is left out and said."""

from __future__ import annotations

import json
import shutil

import pytest

from .templates import template


@pytest.fixture
def assembly(tmp_path):
    folder = tmp_path / "cdk.out"
    folder.mkdir()
    (folder / "cdk.out").write_text('{"version":"55.0.0"}')
    (folder / "Research.template.json").write_text(json.dumps(template()))
    return folder


def test_the_templates_are_read_and_the_rest_is_said(read, assembly):
    for name in ("manifest.json", "tree.json", "Research.assets.json", "Research.metadata.json", "asset.1.yaml"):
        (assembly / name).write_text("not read at all {")
    loaded = read(assembly)
    assert [s.name for s in loaded.sources] == ["Research.template.json"]
    assert loaded.left_out == (
        "cdk.out/Research.assets.json: CDK's list of files to upload, not configuration",
        "cdk.out/Research.metadata.json: CDK's, not configuration",
        "cdk.out/asset.1.yaml: CDK's, not configuration",
        "cdk.out/cdk.out: the version of CDK's folder, not configuration",
        "cdk.out/manifest.json: CDK's list of stacks, not configuration",
        "cdk.out/tree.json: CDK's list of constructs, not configuration",
    )


def test_a_nested_assembly_is_said_with_the_way_out(read, assembly):
    shutil.copytree(assembly, assembly / "assembly-Prod")
    (assembly / "asset.2").mkdir()
    loaded = read(assembly)
    nested = assembly / "assembly-Prod"
    assert loaded.left_out[0] == (
        f"cdk.out/assembly-Prod/: a nested assembly is not read; to read it, give {nested} as well"
    )
    assert read(nested).config == loaded.config


def test_an_assembly_of_nothing_but_nested_ones_names_them(refused, assembly):
    (assembly / "Research.template.json").unlink()
    (assembly / "assembly-Prod").mkdir()
    assert "assembly-Prod" in refused(assembly).why


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ({"version": "1"}, "CDK version: the version of CDK's folder, not configuration"),
        ({"version": "1", "artifacts": {}}, "CDK manifest: CDK's list of stacks, not configuration"),
        ({"version": "tree-0.1", "tree": {}}, "CDK tree: CDK's list of constructs, not configuration"),
        (
            {"version": "1", "files": {}, "dockerImages": {}},
            "CDK assets: CDK's list of files to upload, not configuration",
        ),
    ],
)
def test_each_of_its_files_is_known_by_itself(read, write, content, line):
    loaded = read(write("t.json", template()), write("f.json", content))
    assert loaded.left_out == (f"f.json, {line}",)
