"""A CDK application of ours with the walkthrough's queue; run by itself, it synthesises into CDK_OUTDIR."""

from aws_cdk import App, Stack
from aws_cdk import aws_batch as batch

UNIT = "ml.g5.xlarge"
SHARES = {
    "QS1": ("LEND_AND_BORROW", 200, "ENABLED"),
    "QS2": ("LEND", None, "DISABLED"),
    "QS3": ("RESERVE", None, "DISABLED"),
}


def build(stack: Stack) -> None:
    policy = batch.CfnSchedulingPolicy(
        stack,
        "Policy",
        name="my-qm-scheduling-policy",
        quota_share_policy=batch.CfnSchedulingPolicy.QuotaSharePolicyProperty(idle_resource_assignment_strategy="FIFO"),
    )
    environment = batch.CfnServiceEnvironment(
        stack,
        "Environment",
        service_environment_name="my-sm-training-qm-se",
        service_environment_type="SAGEMAKER_TRAINING",
        capacity_limits=[batch.CfnServiceEnvironment.CapacityLimitProperty(capacity_unit=UNIT, max_capacity=3)],
    )
    order = batch.CfnJobQueue.ServiceEnvironmentOrderProperty(
        order=1, service_environment=environment.attr_service_environment_arn
    )
    queue = batch.CfnJobQueue(
        stack,
        "Queue",
        job_queue_name="my-sm-training-qm-jq",
        job_queue_type="SAGEMAKER_TRAINING",
        priority=1,
        scheduling_policy_arn=policy.attr_arn,
        service_environment_order=[order],
    )
    share = batch.CfnQuotaShare
    for name, (strategy, borrow_limit, in_share) in SHARES.items():
        share(
            stack,
            name,
            quota_share_name=name,
            job_queue=queue.attr_job_queue_arn,
            capacity_limits=[share.QuotaShareCapacityLimitProperty(capacity_unit=UNIT, max_capacity=1)],
            resource_sharing_configuration=share.QuotaShareResourceSharingConfigurationProperty(
                strategy=strategy, borrow_limit=borrow_limit
            ),
            preemption_configuration=share.QuotaSharePreemptionConfigurationProperty(in_share_preemption=in_share),
        )


if __name__ == "__main__":
    app = App()
    build(Stack(app, "QuotaShares"))
    app.synth()
