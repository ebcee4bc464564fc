"""Starts the shop."""
from shop.store import inventory

def run():
    inventory.Inventory().restock()

def _quiet():
    pass
