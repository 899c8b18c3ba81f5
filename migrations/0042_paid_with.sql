-- What a payment was made with, as its provider names it (mada, visa, apple_pay): receipts say it. No part of a card's number is kept.
alter table order_payment add column paid_with text;
