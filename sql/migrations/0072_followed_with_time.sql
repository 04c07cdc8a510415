-- The accounts that an account follows are read, with the times, from the index alone: 300 of them
-- lie on 300 pages of the table.
alter table follows
  drop constraint follows_account_id_target_account_id_key,
  add constraint follows_account_id_target_account_id_key unique (account_id, target_account_id) include (created_at);
-- The few follows with options, which that index does not have.
create index follows_with_options on follows (account_id) where not show_reblogs or notify or languages is not null;
