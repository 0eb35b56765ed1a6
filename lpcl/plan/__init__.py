"""The plan: what the composer hands to the tuner, and its JSON form with a published schema."""

from lpcl.plan.codec import (
    load_plan,
    plan_from_json,
    plan_from_text,
    plan_schema,
    plan_sha256,
    plan_to_json,
    plan_to_text,
)
from lpcl.plan.model import PLAN_VERSION, Plan
from lpcl.plan.reader import PlanError

__all__ = [
    "PLAN_VERSION",
    "Plan",
    "PlanError",
    "load_plan",
    "plan_from_json",
    "plan_from_text",
    "plan_schema",
    "plan_sha256",
    "plan_to_json",
    "plan_to_text",
]
