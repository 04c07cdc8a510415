-- Collections: accounts that somebody shows together (api/endpoints/collections.json).
-- Locks: none on existing tables, but for a moment accounts, tags and statuses, which the new ones refer to.

-- `uri` and `url` are stored for remote ones only.
create table collections (
  id bigint primary key default snowflake(),
  account_id bigint not null references accounts (id) on delete cascade,      -- who curates it
  name text not null,
  description text,
  language text,
  tag_id bigint references tags (id) on delete set null,
  sensitive boolean not null,
  discoverable boolean not null,
  uri text unique,
  url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index collections_by_account on collections (account_id, id desc);
create index collections_by_tag on collections (tag_id) where tag_id is not null;

-- An item whose account took itself out stays, as revoked: so it cannot be put in again.
create table collection_items (
  id bigint primary key default snowflake(),
  collection_id bigint not null references collections (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  state text not null,                           -- pending, accepted, rejected, revoked
  created_at timestamptz not null default now(),
  unique (collection_id, account_id)
);

create index collection_items_by_account on collection_items (account_id, collection_id desc);

-- The collections that the text of a status links to.
create table status_collections (
  status_id bigint not null references statuses (id) on delete cascade,
  collection_id bigint not null references collections (id) on delete cascade,
  primary key (status_id, collection_id)
);

create index status_collections_by_collection on status_collections (collection_id);

-- The one place that decides who may see a collection (null: anybody). Hidden: those of accounts that are suspended, unconfirmed, unapproved
-- or going, and of those who block the viewer or its domain.
create function visible_collections(viewer bigint) returns setof collections
language sql stable rows 100 as $$
  select c.*
  from collections c
  join accounts a on a.id = c.account_id
  where a.suspended_at is null
    and not a.pending
    and a.deletion_requested_at is null
    and not exists (select from blocks b where b.account_id = c.account_id and b.target_account_id = viewer)
    and not exists (
      select
      from accounts v
      join account_domain_blocks d on d.account_id = c.account_id and d.domain = v.domain
      where v.id = viewer
    )
$$;

-- The items of collections that the viewer is shown: its own also while they are pending. Left out are those of accounts that nobody may know of,
-- and that the viewer blocks.
create function shown_collection_items(viewer bigint) returns setof collection_items
language sql stable rows 100 as $$
  select i.*
  from collection_items i
  join collections c on c.id = i.collection_id
  join accounts a on a.id = i.account_id
  where (i.state = 'accepted' or (i.state = 'pending' and c.account_id = viewer))
    and a.suspended_at is null
    and not a.pending
    and a.deletion_requested_at is null
    and not exists (select from blocks b where b.account_id = viewer and b.target_account_id = i.account_id)
$$;

-- Whether an account lets `owner` put it into a collection (api/entities/FeatureApproval.json). Other servers have not told what theirs allow,
-- which counts as no.
create function lets_feature(owner bigint, target accounts) returns boolean
language sql stable as $$
  select target.domain is null
    and coalesce(target.discoverable, false)
    and target.suspended_at is null
    and (
      not target.locked
      or target.id = owner
      or exists (select from follows f where f.account_id = owner and f.target_account_id = target.id)
    )
    and not exists (
      select
      from blocks b
      where (b.account_id = owner and b.target_account_id = target.id)
        or (b.account_id = target.id and b.target_account_id = owner)
    )
$$;
