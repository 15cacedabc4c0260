-- What a buyer is told of an order that an assistant placed for them.
alter table mail.message drop constraint message_kind_check;
alter table mail.message add constraint message_kind_check check (
  kind in ('reset_password', 'magic_link', 'otp', 'return_received', 'return_decided', 'credit_offered', 'order_placed')
) not valid;
