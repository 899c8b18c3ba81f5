update merchant set payment_methods = '{mada,apple_pay}';
