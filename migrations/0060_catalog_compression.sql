-- The long texts of which many are written at once are compressed by the quicker of the two methods, where this server
-- was built with it: what is there already stays as it is.
do $$ begin
  alter table catalog.product
    alter column description set compression lz4, alter column media set compression lz4,
    alter column attributes set compression lz4, alter column specifications set compression lz4;
  alter table webhook.event alter column payload set compression lz4;
exception when feature_not_supported then
  raise notice 'no lz4: long texts are compressed by pglz';
end $$;
