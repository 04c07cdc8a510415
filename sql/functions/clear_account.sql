-- Deletes up to `max_rows` rows of one table that belong to an account or refer to it; 0 when none
-- are left. The tables are found by their foreign keys, so that later ones are included. Records
-- for moderators stay: reports, strikes, notes, blocked addresses. Statuses and attachments are
-- deleted beforehand; what is left of them is evidence. The key pair stays to sign the Delete, and
-- is deleted by federation/send/remove_keys. Of an account of another server, which may come back
-- as when the block of its domain is lifted, also the blocks and mutes that people here have set
-- and their notes stay, and the quotes of its posts, which say that these are deleted. They end
-- with the row of the account.
create or replace function clear_account(account bigint, max_rows integer) returns integer
language plpgsql as $$
declare
  reference record;
  removed integer;
begin
  for reference in
    select c.conrelid::regclass as place, a.attname as name
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.confdeltype = 'c' and c.conparentid = 0
      and c.conrelid::regclass::text
        <> all (array[
          'users', 'account_stats', 'statuses', 'media_attachments', 'reports', 'account_warnings', 'appeals',
          'canonical_email_blocks', 'moderation_notes', 'signing_keys'
        ])
      and not (
        (select o.domain is not null from accounts o where o.id = account)
        and (c.conrelid::regclass::text, a.attname) in (
          ('blocks', 'target_account_id'), ('mutes', 'target_account_id'), ('account_notes', 'target_account_id'),
          ('quotes', 'quoted_account_id')
        )
      )
    order by c.conrelid::regclass::text, a.attname
  loop
    execute format('delete from %1$s where ctid = any (array(select ctid from %1$s where %2$I = $1 limit $2))', reference.place, reference.name)
      using account, max_rows;
    get diagnostics removed = row_count;
    if removed > 0 then
      return removed;
    end if;
  end loop;
  return 0;
end
$$;
