-- Views of content: a row for each session that looked at something on a day.
create table content.view (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- A post or a lookbook.
  content uuid not null,
  -- Of UTC, by the tenant's clock.
  day date not null,
  -- Digests: who looked is told from others, not named.
  session bytea not null,
  visitor bytea not null,
  views integer not null check (views >= 1),
  -- The last view that was counted: what comes soon after it repeats it.
  counted_at timestamptz not null,
  primary key (store, environment, content, day, session)
);

create index view_day on content.view (day);
