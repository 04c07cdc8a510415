-- Applications, grants, tokens and browser sessions. Tokens, codes and secrets are kept as SHA-256 hashes only.

create table applications (
  id bigint primary key generated always as identity,
  name text not null,
  website text,
  redirect_uris text[] not null,
  scopes text[] not null,
  client_id text not null unique,
  client_secret_hash bytea not null,
  superapp boolean not null default false,       -- our own pages: consent is not asked for
  created_at timestamptz not null default now()
);

alter table users add constraint users_created_by_application_fk
  foreign key (created_by_application_id) references applications (id) on delete set null;

create table oauth_grants (
  id bigint primary key generated always as identity,
  code_hash bytea not null unique,
  application_id bigint not null references applications (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  redirect_uri text not null,
  scopes text[] not null,
  code_challenge text,                           -- S256 only
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);

create index oauth_grants_user on oauth_grants (user_id, application_id);
create index oauth_grants_application on oauth_grants (application_id);

create table oauth_tokens (
  id bigint primary key generated always as identity,
  token_hash bytea not null unique,
  seed bytea,                                    -- with it and the client's secret the token can be made again
  application_id bigint references applications (id) on delete cascade,
  user_id bigint references users (id) on delete cascade,   -- null: the application's own token
  scopes text[] not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_ip inet,
  created_at timestamptz not null default now()
);

create index oauth_tokens_user on oauth_tokens (user_id, application_id);
create index oauth_tokens_application on oauth_tokens (application_id);

create table sessions (
  id bigint primary key generated always as identity,
  session_hash bytea not null unique,
  user_id bigint not null references users (id) on delete cascade,
  user_agent text not null default '',
  ip inet,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index sessions_user on sessions (user_id);
