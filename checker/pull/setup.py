"""What keeps a queue's history from now on: a CloudFormation template, and a text that says what AWS keeps without it.

Written, never deployed. The template is one EventBridge rule, a log group for what it matches, and the permission to
write there. The rule takes the events of every queue of the Region: a preemption event names its job and no queue.
Trusted: nothing is read.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence

from .access import policy
from .folder import Folder

TEMPLATE_FILE = "setup/keep-history.yaml"
README_FILE = "setup/README.txt"
LOG_GROUP = "/aws/events/batch-service-jobs"
EVENTS = (
    "Batch Service Job State Change",
    "Batch Service Job Preemption Started",
    "Batch Service Job Preemption Completed",
    "Batch Service Job Queue Blocked",
)
"""The kinds of events that a history is made from."""


def template() -> str:
    """The CloudFormation template."""
    events = "".join(f"          - {event}\n" for event in EVENTS)
    return _TEMPLATE.replace("LOG_GROUP", LOG_GROUP).replace("          EVENTS\n", events)


def readme(queue: str, folder: str, options: Sequence[str] = ()) -> str:
    """How to deploy the template, what AWS keeps without it, and how its events come into the folder."""
    return _README.format(
        queue=shlex.quote(queue),
        folder=shlex.quote(folder),
        more="".join(f" {shlex.quote(option)}" for option in options),
        group=LOG_GROUP,
        file=TEMPLATE_FILE,
        policy=json.dumps(policy(), indent=2),
    )


def write(root: Folder, queue: str, options: Sequence[str] = ()) -> None:
    """Write both into the folder. Raises InputError."""
    root.write_text(TEMPLATE_FILE, template())
    root.write_text(README_FILE, readme(queue, str(root.root), options))


_TEMPLATE = """\
AWSTemplateFormatVersion: "2010-09-09"
Description: Keeps the events of AWS Batch service jobs, which AWS itself stores nowhere.
Parameters:
  LogGroupName:
    Type: String
    Default: LOG_GROUP
  RetentionInDays:
    Type: Number
    Default: 400
    AllowedValues: [30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653]
Resources:
  ServiceJobEvents:
    Type: AWS::Logs::LogGroup
    DeletionPolicy: Retain
    UpdateReplacePolicy: Retain
    Properties:
      LogGroupName: !Ref LogGroupName
      RetentionInDays: !Ref RetentionInDays
  EventBridgeMayWrite:
    Type: AWS::Logs::ResourcePolicy
    Properties:
      PolicyName: !Sub "${AWS::StackName}-events"
      PolicyDocument: !Sub |-
        {"Version": "2012-10-17", "Statement": [{
          "Effect": "Allow",
          "Principal": {"Service": ["events.amazonaws.com", "delivery.logs.amazonaws.com"]},
          "Action": ["logs:CreateLogStream", "logs:PutLogEvents"],
          "Resource": "${ServiceJobEvents.Arn}"}]}
  KeepServiceJobEvents:
    Type: AWS::Events::Rule
    DependsOn: EventBridgeMayWrite
    Properties:
      Description: Events of AWS Batch service jobs, of all queues of the Region, to a log group.
      State: ENABLED
      EventPattern:
        source: [aws.batch]
        detail-type:
          EVENTS
      Targets:
        - Id: log-group
          Arn: !Sub "arn:${AWS::Partition}:logs:${AWS::Region}:${AWS::AccountId}:log-group:${ServiceJobEvents}"
Outputs:
  LogGroup:
    Description: Where the events are.
    Value: !Ref ServiceJobEvents
"""

_README = """\
Keep the history of {queue} from now on

Deploy (once for each account and Region; nothing has been deployed yet):

  aws cloudformation deploy --stack-name keep-batch-history --template-file {folder}/{file}{more}

It makes a log group, {group}, an EventBridge rule that sends the events of Batch service jobs
there, and the permission to do so. Events are kept for 400 days (parameter RetentionInDays) and stay when the
stack is deleted. Events carry no payload of a job. CloudWatch Logs charges for what is stored.

What AWS keeps without it

  events of service jobs         nothing. Whoever does not listen when a job is stopped never learns when each
                                 stage began and ended, nor when a preemption started.
  service jobs that have ended   "at least 7 days", says AWS of jobs; of service jobs it says nothing else.
                                 Each has the times of its latest attempt, and the latest of its preemptions.
  requests (CloudTrail)          90 days of event history. Keep a trail in S3 to have more: it is the only
                                 record of earlier priorities and limits.
  the queue's own view           only the present.

So run this at least once a week, from cron or a pipeline; it only reads, and goes on from the last time:

  quotaproof pull {queue} -o {folder}{more}

Bring the events into the folder, for audit those of the last eight days:

  mkdir -p {folder}/history/events
  aws logs filter-log-events --log-group-name {group} --start-time $((($(date +%s) - 691200) * 1000)){more} \\
    --output json > {folder}/history/events/$(date +%Y%m%dT%H%M%S).json

The IAM policy that pull needs (reads only); the last command needs logs:FilterLogEvents as well:

{policy}
"""
