"""Store two lessons, link them, and find one again by its symptom. Nothing is kept."""

from project_memory.app import ProjectMemory
from project_memory.model import Actor, Authority

actor = Actor("ada", Authority.USER)

with ProjectMemory.open("inmemory://", project="shop", actor=actor, create=True) as memory:
    memory.add_label("area:checkout", description="cart, payment, orders")
    memory.create(
        {
            "id": "double-charge",
            "description": "A customer is charged twice when the payment page is reloaded",
            "labels": ["area:checkout", "kind:bug"],
            "triggers": ["two charges for one order"],
            "remembered_facts": ["the provider treats a missing idempotency key as a new payment"],
            "solution_pattern": ["send the order number as idempotency key"],
        }
    )
    memory.create(
        {
            "id": "idempotency-keys",
            "description": "Every call that costs money carries an idempotency key",
            "labels": ["area:checkout", "kind:convention"],
            "remembered_facts": ["keys are kept for a day"],
        }
    )
    memory.link("double-charge", "specializes", "idempotency-keys")
    found = memory.recall(query="customer paid two times after pressing reload")
    for hit in found.answers:
        print(f"{hit.score:.2f}  {hit.id}  {hit.description}")
