-- Translations that were made of late, so that the same text is paid for once.
-- Locks: nothing that exists.

create table translations (
  digest bytea primary key,                      -- SHA-256 of backend, languages and texts
  texts text[] not null,                         -- in the order of what was asked
  source text,                                   -- the language they were in; null when nobody knows
  created_at timestamptz not null default now()
);

create index translations_by_age on translations (created_at);
