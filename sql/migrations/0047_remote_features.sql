-- Accounts and collections of other servers. The columns are nullable or have a constant default:
-- the tables are locked for a moment. Writing of accounts waits while the two indexes are made,
-- some seconds for a million accounts.

-- The search finds accounts by the beginning of their domain.
create index accounts_domain_prefix on accounts (domain text_pattern_ops) where domain is not null;
-- With the domain, so that those of a name and a domain are found without reading all of the name.
drop index accounts_username_prefix;
create index accounts_username_prefix on accounts (lower(username) text_pattern_ops, domain text_pattern_ops);

alter table accounts
  -- The handle belongs to another account of its server now; the username is the id.
  add column handle_invalid boolean not null default false,
  -- Who may put an account of another server into a collection without asking, and who may ask:
  -- public, followers, following, disabled, unsupported_policy. Both are null when its server says
  -- nothing.
  add column feature_automatic text[],
  add column feature_manual text[];

-- Where an account of another server shows its permission to be in the collection.
alter table collection_items add column approval_uri text;

--! function federate_feature_requests
create trigger collection_items_federated after insert on collection_items for each row
  when (new.state = 'pending')
  execute function federate_feature_requests();
