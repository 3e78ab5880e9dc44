"""What the real CDK makes of our stack, and of the sample beside the repository, is what the templates say.

Run with `pytest -m cdk`; needs `pip install -e '.[cdk]'` and node.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from quotaproof.spec.formats import Loaded, load
from quotaproof.spec.readings import Readings

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT.parent / "shared" / "aws" / "iac" / "cdk_l1_demo.py"

pytestmark = [
    pytest.mark.cdk,
    pytest.mark.skipif(find_spec("aws_cdk") is None, reason="aws-cdk-lib is not installed: pip install -e '.[cdk]'"),
    pytest.mark.skipif(shutil.which("node") is None, reason="CDK needs node"),
]


def synthesised(script: Path, folder: Path) -> Path:
    """cdk.out as the script writes it."""
    out = folder / "cdk.out"
    subprocess.run(
        [sys.executable, script],
        check=True,
        capture_output=True,
        cwd=folder,
        env={**os.environ, "CDK_OUTDIR": str(out)},
    )
    return out


def loaded(path: Path) -> Loaded:
    return load([str(path)], readings=Readings())


def test_our_stack_gives_the_configuration_of_the_template(tmp_path):
    found = loaded(synthesised(Path(__file__).with_name("cdk_stack.py"), tmp_path))
    assert found.config == loaded(ROOT / "examples" / "forms" / "cloudformation.yaml").config
    assert found.notes == ()
    assert [s.name for s in found.sources] == ["QuotaShares.template.json"]


def test_the_shipped_cdk_out_is_what_cdk_writes(tmp_path):
    out = synthesised(Path(__file__).with_name("cdk_stack.py"), tmp_path)
    shipped = ROOT / "examples" / "forms" / "cdk.out"
    for name in ("QuotaShares.template.json", "cdk.out"):
        assert json.loads((shipped / name).read_text()) == json.loads((out / name).read_text())


@pytest.mark.skipif(not SAMPLE.is_file(), reason="the folder shared/aws of real samples is not beside the repository")
def test_the_sample_gives_five_links_and_the_walkthrough(tmp_path):
    out = synthesised(SAMPLE, tmp_path)
    text = (out / "Qm.template.json").read_text()
    assert text.count('"Fn::GetAtt"') == 5
    assert loaded(out).config == loaded(ROOT / "examples" / "walkthrough").config
