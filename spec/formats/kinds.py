"""What a file is, told by its keys: AWS requests and outputs, CloudFormation templates, quotaproof's own form and others.

The first kind in `KINDS` whose keys fit is taken. A kind that says nothing about how a queue is configured has a reason
why it is left out; an object of no kind is an error, never a guess. Trusted: the order of the table.
"""

from __future__ import annotations

from dataclasses import dataclass

from .document import Document
from .errors import InputError, kind, nearest, shown

OWN_FORM = "queue form"
WAIVERS = "waivers"
SUBMIT = "submit-service-job"
SCENARIO = "scenario"
PROMISES = "promises"
TERRAFORM_PLAN = "Terraform plan"
CHANGE_SET = "describe-change-set"
TERRAFORM_SOURCE = "source, not evaluated; give a plan: `terraform plan -out FILE`, `terraform show -json FILE`"
PROGRAM = (
    "source code, not evaluated; of a CDK app run `cdk synth` and give the folder cdk.out, "
    "of a Pulumi program give the output of `pulumi stack export`"
)
REPORT, SARIF, BADGE = "quotaproof report", "SARIF log", "badge"
REPORTS = frozenset((REPORT, SARIF, BADGE))
"""What --report writes."""
_REPORTED = "a report, not configuration"
_REQUEST = "a request, not configuration"
_ANSWER = "an answer that only names what was made"
HISTORY = "history, not configuration; `quotaproof audit` reads it"
CDK_STACKS = "CDK's list of stacks, not configuration"
CDK_TREE = "CDK's list of constructs, not configuration"
CDK_ASSETS = "CDK's list of files to upload, not configuration"
CDK_VERSION = "the version of CDK's folder, not configuration"

TEMPLATE_KEYS = frozenset(("AWSTemplateFormatVersion", "Resources"))
"""What tells a CloudFormation template; only there YAML may have CloudFormation's short tags."""


@dataclass(frozen=True)
class Kind:
    """A kind of file. Every set in `some` must meet the keys; `only` bounds them; `without` must not meet them."""

    name: str
    some: tuple[frozenset[str], ...]
    only: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    left_out: str = ""
    """Why it is left out; '' for configuration."""
    form: str = "aws"
    """Which reader reads it; a document that fits kinds of two forms is refused."""

    def fits(self, keys: frozenset[str]) -> bool:
        return (
            all(keys & wanted for wanted in self.some)
            and (not self.only or keys <= self.only)
            and not keys & self.without
        )


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _kind(name: str, *some: str, only: str = "", without: str = "", left_out: str = "") -> Kind:
    return Kind(name, tuple(_set(s) for s in some), _set(only), _set(without), left_out)


def _of_form(form: str, name: str, *some: str, only: str = "", left_out: str = "") -> Kind:
    return Kind(name, tuple(_set(s) for s in some), _set(only), left_out=left_out, form=form)


def _exactly(name: str, keys: str, left_out: str) -> Kind:
    return Kind(name, tuple(frozenset([k]) for k in keys.split()), only=_set(keys), left_out=left_out)


_SHOW = "Terraform's own file; give the output of `terraform show -json`"
_EXPORT = "Pulumi's own file; give the output of `pulumi stack export`"
_HCL = "resource module data variable locals output provider terraform moved removed import check //"
_SHARE = "quotaShareName resourceSharingConfiguration preemptionConfiguration"
_ENVIRONMENT = "serviceEnvironmentName serviceEnvironmentType"
_POLICY = "quotaSharePolicy fairsharePolicy"
_REPORT = ("spec_version", "tool", "command")
_QUEUE_UPDATE = "schedulingPolicyArn computeEnvironmentOrder serviceEnvironmentOrder jobStateTimeLimitActions"

KINDS: tuple[Kind, ...] = (
    _of_form("own", OWN_FORM, "quotaproof"),
    _of_form("waivers", WAIVERS, "waivers"),
    _of_form("terraform", TERRAFORM_PLAN, "format_version", "planned_values"),
    _of_form("terraform", "Terraform state", "format_version", "values"),
    _of_form(
        "terraform",
        "Terraform state",
        "format_version",
        only="format_version terraform_version checks",
        left_out="the state is empty",
    ),
    _of_form("terraform", "terraform.tfstate", "lineage", "terraform_version", "resources", left_out=_SHOW),
    _of_form("terraform", "Terraform configuration", "resource module", only=_HCL, left_out=TERRAFORM_SOURCE),
    _of_form("pulumi", "Pulumi stack export", "deployment", "version"),
    _of_form("pulumi", "Pulumi checkpoint", "checkpoint", "version", left_out=_EXPORT),
    Kind("CloudFormation template", (TEMPLATE_KEYS,), form="cloudformation"),
    _of_form(
        "cloudformation",
        CHANGE_SET,
        "Changes",
        "ChangeSetName ChangeSetId StackId StackName",
        left_out="a change, not configuration; `quotaproof plan` reads it",
    ),
    _of_form("cloudformation", "get-template", "TemplateBody", only="TemplateBody StagesAvailable"),
    _of_form("sample repository", "sample repository form", "queues"),
    _of_form("cloudformation", "CDK manifest", "artifacts", "version", left_out=CDK_STACKS),
    _of_form("cloudformation", "CDK tree", "tree", "version", only="tree version", left_out=CDK_TREE),
    _of_form(
        "cloudformation", "CDK assets", "files", "version", only="files dockerImages version", left_out=CDK_ASSETS
    ),
    _of_form("cloudformation", "CDK version", "version", only="version", left_out=CDK_VERSION),
    _kind(SCENARIO, "scenario", left_out="not configuration; `quotaproof replay` plays it"),
    _kind(REPORT, *_REPORT, left_out=_REPORTED),
    _kind(BADGE, "schemaVersion", "label", "message", left_out=_REPORTED),
    _kind(SARIF, "runs", "version", left_out=_REPORTED),
    Kind(PROMISES, (_set("promises"),), without=_set(_REPORT[0]), form="promises"),
    _kind("list-quota-shares", "quotaShares"),
    _kind("describe-service-environments", "serviceEnvironments"),
    _kind("describe-job-queues", "jobQueues"),
    _kind("describe-scheduling-policies", "schedulingPolicies"),
    _kind("list-service-jobs", "jobSummaryList", left_out=HISTORY),
    _kind("get-job-queue-snapshot", "frontOfQueue frontOfQuotaShares queueUtilization", left_out=HISTORY),
    _kind("EventBridge event", "detail-type", left_out=HISTORY),
    _kind("CloudTrail record", "eventSource", "eventName", left_out=HISTORY),
    _kind("CloudTrail log file", "Records", only="Records", left_out=HISTORY),
    _kind("lookup-events", "Events", only="Events NextToken nextToken", left_out=HISTORY),
    _kind("filter-log-events", "events", only="events searchedLogStreams nextToken", left_out=HISTORY),
    _kind("trace", "trace", left_out=HISTORY),
    _exactly("update-service-job", "jobId schedulingPriority", _REQUEST),
    _exactly("terminate-service-job", "jobId reason", _REQUEST),
    _exactly("describe-service-job", "jobId", _REQUEST),
    _exactly("submit-service-job", "jobArn jobName jobId", _ANSWER),
    _kind("describe-service-job", "jobId jobArn", left_out=HISTORY),
    _kind(SUBMIT, "jobName serviceRequestPayload serviceJobType"),
    _exactly("create-quota-share", "quotaShareName quotaShareArn", _ANSWER),
    _exactly("delete-quota-share", "quotaShareArn", _REQUEST),
    _kind(
        "update-quota-share",
        "quotaShareArn",
        only="quotaShareArn capacityLimits resourceSharingConfiguration preemptionConfiguration state",
        left_out=_REQUEST,
    ),
    _kind("describe-quota-share", _SHARE, "quotaShareArn jobQueueArn status"),
    _kind("create-quota-share", _SHARE),
    _exactly("create-service-environment", "serviceEnvironmentName serviceEnvironmentArn", _ANSWER),
    _kind("describe-service-environments", _ENVIRONMENT, "serviceEnvironmentArn status"),
    _kind("create-service-environment", _ENVIRONMENT),
    _exactly("delete-service-environment", "serviceEnvironment", _REQUEST),
    _kind(
        "update-service-environment",
        "serviceEnvironment",
        only="serviceEnvironment state capacityLimits",
        left_out=_REQUEST,
    ),
    _exactly("create-job-queue", "jobQueueName jobQueueArn", _ANSWER),
    _kind("describe-job-queues", "jobQueueName jobQueueType", "jobQueueArn status"),
    _kind("create-job-queue", "jobQueueName jobQueueType"),
    _exactly("delete-job-queue", "jobQueue", _REQUEST),
    _kind("list-quota-shares", "jobQueue", only="jobQueue maxResults nextToken", left_out=_REQUEST),
    _kind("update-job-queue", "jobQueue", only=f"jobQueue state priority {_QUEUE_UPDATE}", left_out=_REQUEST),
    _kind("create-job-queue", "serviceEnvironmentOrder jobStateTimeLimitActions", without="jobQueue"),
    _exactly("create-scheduling-policy", "name arn", _ANSWER),
    _kind("update-scheduling-policy", "arn", _POLICY, only=f"arn {_POLICY}", left_out=_REQUEST),
    _kind("describe-scheduling-policies", _POLICY, "arn"),
    _kind("create-scheduling-policy", _POLICY),
)

_BESIDE = (OWN_FORM, SUBMIT, WAIVERS, PROMISES)
_READABLE = sorted({k.name for k in KINDS if not k.left_out and k.name not in _BESIDE})


def recognise(document: Document) -> Kind:
    """The kind of `document`. Raises InputError when it is none."""
    value = document.value
    known = f"Known are {', '.join(_READABLE)} and quotaproof's own form (quotaproof: 1)."
    if not isinstance(value, dict):
        raise document.error(
            (),
            f"{kind(value)} stands where an object is expected",
            why=known,
            fix="give each request or output of the AWS CLI its own file, unchanged.",
        )
    keys = frozenset(value) - {"ResponseMetadata"}
    fits = [candidate for candidate in KINDS if candidate.fits(keys)]
    forms = {candidate.form: candidate for candidate in reversed(fits)}
    if len(forms) > 1:
        names = " and ".join(sorted(candidate.name for candidate in forms.values()))
        raise document.error(
            (),
            f"the file fits two forms: {names}",
            why="Nothing says which of them counts, and a guess could be wrong.",
            fix="make one file of each.",
        )
    if fits:
        return fits[0]
    first = next(iter(value), "")
    markers = {m for k in KINDS for some in k.some for m in some}
    close = next(((key, near) for key in list(value)[:50] if (near := nearest(key, markers))), None)
    fix = "leave the file out, or give the output of `aws batch list-quota-shares` and the like."
    if {"queue", "shares"} <= keys:
        fix = "if it is quotaproof's own form, add its first line: quotaproof: 1"
    elif "accept" in keys:
        fix = "if these are waivers, add their first line: waivers: 1"
    elif close and close[0] not in markers:
        fix = f"did you mean {close[1]} for {shown(close[0])}?"
    what = f"unknown kind of file: its first key is {shown(first)}" if value else "unknown kind of file: {} has no keys"
    raise InputError(what, where=document.name, why=known, fix=fix)
