-- Who buys, as it was said with the payment: noted in the order's own transaction, so that a checkout whose completion is
-- refused stays as it was. What is null was not said.

create function agent.name_buyer(
  the_store uuid, the_environment text, the_intent uuid, the_email text, the_buyer json
) returns void language sql as $$
  update agent.intent set email = coalesce(the_email, email), buyer = coalesce(the_buyer, buyer)
  where store = the_store and environment = the_environment and id = the_intent
$$;
