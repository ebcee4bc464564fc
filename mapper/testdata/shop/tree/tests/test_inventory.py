from shop.store.inventory import Inventory

def test_restock():
    Inventory().restock()
