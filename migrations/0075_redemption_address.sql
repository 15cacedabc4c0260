-- Uses per customer are counted by one normal e-mail address, so that a customer and a guest of one address are one,
-- however the address was typed. Until now the column held a customer's id, else the address as it was typed.
update pricing.redemption r set customer = c.email
from customer.customer c
where c.store = r.store and c.environment = r.environment and c.id::text = r.customer;

update pricing.redemption set customer = normalize(lower(normalize(customer, NFC)), NFC)
where customer is distinct from normalize(lower(normalize(customer, NFC)), NFC);
