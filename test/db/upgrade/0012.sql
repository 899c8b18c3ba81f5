update deployment set secret_canary = '\x01';
