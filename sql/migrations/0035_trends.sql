-- What trends: how much hashtags are used on each day, the scores of hashtags and statuses, and what moderators decided about them.
-- Locks: columns without a default are added to tags, accounts and statuses, which takes an instant once their writers have let go.

-- The day (UTC) of an id.
create function snowflake_day(id bigint) returns date
language sql immutable parallel safe
return (timestamp 'epoch' + (id >> 16) * interval '1 millisecond')::date;

-- The least id that can be made at this time.
create function first_snowflake(at timestamptz) returns bigint
language sql immutable parallel safe
return (extract(epoch from at) * 1000)::bigint << 16;

create function midnight(day date) returns timestamptz
language sql immutable parallel safe
return day::timestamp at time zone 'UTC';

-- How much hashtags are used in statuses that everybody may find, by day (UTC). Counted by jobs (src/trends), so that posting need not wait
-- for others who use the same hashtag.
create table tag_days (
  tag_id bigint not null references tags (id) on delete cascade,
  day date not null,
  uses integer not null,
  accounts integer not null,                     -- distinct authors
  language text,                                 -- that most of these statuses are in
  primary key (tag_id, day)
);

create index tag_days_by_day on tag_days (day, accounts);

-- Up to when something was counted: what came later is found by its id.
create table trend_counts (
  what text primary key,                         -- tags, links
  counted_at timestamptz not null
);

-- A hashtag that rose keeps its highest score for two days, decaying; `score` is what is left of it.
create table tag_trends (
  tag_id bigint primary key references tags (id) on delete cascade,
  peak double precision not null,
  peaked_at timestamptz not null,
  score double precision not null,
  language text
);

create table status_trends (
  status_id bigint primary key references statuses (id) on delete cascade,
  score double precision not null
);

-- What moderators decided. Null is undecided: then the setting trendable_by_default decides; of a status first its author.
alter table tags add column reviewed_at timestamptz, add column requested_review_at timestamptz;
alter table accounts
  add column trendable boolean, add column reviewed_at timestamptz, add column requested_review_at timestamptz;
alter table statuses add column trendable boolean;

-- How far something exceeds what is expected of it: the square of the excess, by what is expected (as in a chi-squared test), so that doubling
-- counts for more the more people do it. 0 below the threshold, and for what is used less than expected. At least one use is always expected.
create function surge(observed bigint, expected bigint, threshold integer) returns double precision
language sql immutable parallel safe
return case
  when observed < threshold or observed < expected then 0
  else (observed - greatest(coalesce(expected, 0), 1)) ^ 2 / greatest(coalesce(expected, 0), 1)::double precision
end;

-- What is left of a score after this time, of which half goes in each half-life.
create function decayed(score double precision, age interval, half_life_s integer) returns double precision
language sql immutable parallel safe
return score * 0.5 ^ least(greatest(extract(epoch from age)::double precision / half_life_s, 0), 1000);

-- Statuses that may trend and the viewer (null: anybody) may be shown: of authors who want to be found and whose media are not hidden,
-- no answers, nothing behind a warning, in a known language. What they quote must be such a status as well.
create function trendable_statuses(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.*
  from listed_statuses(viewer) s
  join accounts a on a.id = s.account_id
  where s.in_reply_to_id is null and s.in_reply_to_account_id is null
    and not s.sensitive and s.spoiler_text = ''
    and s.language is not null
    and a.discoverable and a.sensitized_at is null
$$;
