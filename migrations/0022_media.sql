-- Pictures and videos of stores. The storage of files has the bytes, under keys that begin with the tenant and the id.
create schema media;

create table media.media (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  type text not null check (type in ('image', 'video')),
  content_type text not null,
  -- The file's name at the uploader.
  name text,
  -- Pixels as shown, after rotation.
  width integer not null,
  height integer not null,
  bytes integer not null,
  -- `[{ "file", "width", "bytes" }]`, the narrowest first.
  renditions jsonb not null,
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create index media_list on media.media (store, environment, created_at desc, id desc);

-- Ids whose files are to be deleted: of uploads that are under way or broke off, and of deleted rows. A sweep deletes the
-- files of those that have been here for a while.
create table media.leftover (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- Real time.
  since timestamptz not null,
  primary key (store, environment, id)
);

create index leftover_since on media.leftover (since);

-- However a row is deleted, its files are deleted later.
create function media.leave_files() returns trigger language plpgsql as $$
begin
  insert into media.leftover (store, environment, id, since)
  select store, environment, id, '-infinity' from gone
  on conflict (store, environment, id) do update set since = excluded.since;
  return null;
end $$;

create trigger media_left after delete on media.media
  referencing old table as gone for each statement execute function media.leave_files();
