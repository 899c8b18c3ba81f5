update merchant set checkout_secret = '\x04', signed_checkouts = true, return_hosts = array['shop.example'];
update checkout_session set locale = 'ar';
