update program set operator_name = 'Waha', operator_contact = 'help@waha.example';
