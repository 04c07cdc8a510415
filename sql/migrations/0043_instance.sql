-- What the instance documents tell: moderated domains, terms of service, pictures, and figures by day.
-- Locks: tables are added, nobody waits. Counting the days so far reads twelve weeks of statuses once.

create table domain_blocks (
  id bigint generated always as identity primary key,
  domain text not null unique,                       -- lower case, in ASCII
  severity text not null default 'silence' check (severity in ('noop', 'silence', 'suspend')),
  reject_media boolean not null default false,
  reject_reports boolean not null default false,
  private_comment text not null default '',
  public_comment text not null default '',
  obfuscate boolean not null default false,          -- published with asterisks
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Whom limited federation mode federates with.
create table domain_allows (
  id bigint generated always as identity primary key,
  domain text not null unique,                       -- lower case, in ASCII
  created_at timestamptz not null default now()
);

create table terms_of_service (
  id bigint generated always as identity primary key,
  text text not null,                                -- Markdown
  changelog text not null default '',
  effective_date date unique,                        -- null: from their publication on
  published_at timestamptz,                          -- null: a draft
  notified_at timestamptz,                           -- when people were told of them
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Pictures that an administrator has put in the place of the built-in ones.
create table site_pictures (
  name text primary key check (name in ('thumbnail', 'app_icon', 'favicon', 'mascot')),
  keys jsonb not null,                               -- stored files by version or size
  blurhash text,
  updated_at timestamptz not null default now()
);

-- What happened on each day. Figures only grow: what is deleted later did happen.
create table activity_days (
  day date primary key,
  statuses integer not null default 0,
  registrations integer not null default 0
);

-- Who was there on which day, as far back as is told.
create table active_days (
  day date not null,
  user_id bigint not null references users (id) on delete cascade,
  primary key (day, user_id)
);
create index active_days_user on active_days (user_id);

insert into activity_days (day, statuses, registrations)
select
  d.day,
  (
    select count(*) from statuses s
    where s.local
      and s.id >= (extract(epoch from d.day::timestamp at time zone 'UTC')::bigint * 1000) << 16
      and s.id < (extract(epoch from (d.day + 1)::timestamp at time zone 'UTC')::bigint * 1000) << 16
  ),
  (
    select count(*) from users u
    where u.created_at >= d.day::timestamp at time zone 'UTC' and u.created_at < (d.day + 1)::timestamp at time zone 'UTC'
  )
from (
  select ((now() at time zone 'UTC')::date - n) as day from generate_series(0, 84) n
) d;

insert into active_days (day, user_id)
select (u.last_active_at at time zone 'UTC')::date, u.id from users u
where u.last_active_at > now() - interval '200 days';
