update order_payment set paid_with = 'mada' where state = 'paid';
