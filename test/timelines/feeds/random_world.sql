-- Accounts in all states, their statuses of a month, and random follows, blocks, mutes, lists and
-- hashtags of the viewers; the same for the same seed. The words in capitals are replaced.
do $do$
declare
  viewers bigint[] := '{VIEWERS}';
  authors bigint[] := viewers;
  originals bigint[] := '{}';
  new_id bigint;
  author bigint;
  viewer bigint;
  one bigint;
  list bigint;
  tag_ids bigint[] := '{}';
  kind float8;
  parent bigint;
begin
  perform setseed(SEED / 1000.0);
  for i in 1..3 loop
    insert into tags (name, display_name) values ('tea' || viewers[1] || i, 'tea') returning tags.id into new_id;
    tag_ids := tag_ids || new_id;
  end loop;
  for i in 1..40 loop
    insert into accounts (id, username, domain, pending, suspended_at, silenced_at, deletion_requested_at)
    values (
      snowflake(), 'w' || viewers[1] || i,
      case when i % 4 = 0 then 'x' || i % 3 || '.example' end,
      i = 37, case when i = 38 then now() end, case when i % 9 = 5 then now() end, case when i = 39 then now() end
    )
    returning accounts.id into new_id;
    authors := authors || new_id;
  end loop;
  for i in 1..STATUSES loop
    author := authors[1 + floor(cardinality(authors) * random() ^ 1.7)];
    new_id := snowflake_at(now() - (STATUSES - i) * interval '17 minutes');
    kind := random();
    parent := originals[greatest(1, cardinality(originals) - floor(random() ^ 2 * 300)::int)];
    if kind < 0.27 and parent is not null then
      if random() < 0.4 then
        parent := originals[greatest(1, cardinality(originals) - floor(random() * 90)::int) / 40 * 40 + 1];
      end if;
      insert into statuses (id, account_id, visibility, reblog_of_id)
      values (new_id, author, (array['public', 'unlisted', 'private'])[1 + floor(random() * 2.2)]::visibility, parent)
      on conflict do nothing;
    else
      insert into statuses (
        id, account_id, visibility, language, deleted_at, text, in_reply_to_id, in_reply_to_account_id
      )
      select
        new_id, author,
        (array['public', 'public', 'public', 'unlisted', 'private', 'direct', 'limited'])[1 + floor(random() * 7)]::visibility,
        (array['en', 'de', null])[1 + floor(random() * 3)],
        case when random() < 0.05 then now() end, 'text',
        case when kind > 0.7 and random() < 0.9 then s.id end, case when kind > 0.7 then s.account_id end
      from (select 1) always
      left join statuses s on s.id = parent;
      originals := originals || new_id;
      for j in 1..floor(random() * 3)::int loop
        insert into mentions (status_id, account_id, silent)
        values (new_id, authors[1 + floor(cardinality(authors) * random() ^ 2)], random() < 0.2)
        on conflict do nothing;
      end loop;
      if random() < 0.1 then
        insert into status_tags (tag_id, status_id) values (tag_ids[1 + floor(random() * 3)], new_id);
      end if;
    end if;
  end loop;
  foreach viewer in array viewers loop
    foreach one in array authors loop
      continue when one = viewer;
      if random() < 0.7 then
        insert into follows (account_id, target_account_id, show_reblogs, languages, created_at)
        values (
          viewer, one, random() < 0.9, case when random() < 0.12 then '{de}'::text[] end,
          now() - interval '60 days' + case when random() < LATE_FOLLOWS then random() * interval '60 days' else '0' end
        )
        on conflict do nothing;
      end if;
      if random() < 0.03 then insert into blocks (account_id, target_account_id) values (viewer, one); end if;
      if random() < 0.03 then insert into blocks (account_id, target_account_id) values (one, viewer) on conflict do nothing; end if;
      if random() < 0.06 then
        insert into mutes (account_id, target_account_id, expires_at)
        values (viewer, one, (array[null, now() - interval '1 day', now() + interval '1 day'])[1 + floor(random() * 3)]);
      end if;
    end loop;
    if random() < 0.5 then insert into account_domain_blocks (account_id, domain) values (viewer, 'x1.example'); end if;
    if random() < 0.3 then
      update users set preferences = '{"aggregate_reblogs": false}' where account_id = viewer;
    end if;
    if random() < 0.7 then
      insert into tag_follows (account_id, tag_id, created_at)
      select viewer, t, now() - random() * interval '50 days' from unnest(tag_ids[1:2]) t;
    end if;
    for i in 1..2 loop
      insert into lists (account_id, title, replies_policy, exclusive)
      values (viewer, 'list', (array['list', 'followed', 'none'])[1 + floor(random() * 3)], i = 1 and random() < 0.5)
      returning lists.id into list;
      insert into list_accounts (list_id, account_id, follow_id)
      select list, f.target_account_id, f.id from follows f where f.account_id = viewer and random() < 0.2 * i * i;
      if i = 2 then insert into list_accounts (list_id, account_id) values (list, viewer); end if;
    end loop;
  end loop;
end
$do$
