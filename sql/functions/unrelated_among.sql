-- Those of some accounts of other servers to which nothing stored refers: no follows, posts,
-- mentions, reactions, blocks, lists, reports, notes. The tables are found by their foreign keys,
-- so that later ones are included; figures and descriptions of the account itself do not count.
create or replace function unrelated_among(accounts bigint[]) returns setof bigint
language plpgsql stable as $$
declare
  conditions text;
begin
  -- With `offset 0` each condition is a look-up by index, never a scan of the other table.
  select string_agg(
    format('not exists (select from %1$s r where r.%2$I = u.id offset 0)', c.conrelid::regclass, a.attname),
    ' and ' order by c.conrelid::regclass::text, a.attname
  )
  into conditions
  from pg_constraint c
  join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.conparentid = 0
    and c.conrelid::regclass::text <> all (array['account_stats', 'featured_tags', 'popular_accounts']);
  return query execute format('select u.id from unnest($1) u(id) where %s', conditions) using accounts;
end
$$;
