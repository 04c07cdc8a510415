--! no transaction
--! replaces 2b44d981a0a4fccf9aa26f5abd1fd959096917c83632d510172aaa10977727e4
-- URLs of other servers' accounts were of any length, and each entity of an account contains them.
-- An account without a picture gets it again when its document is fetched. Accounts are read in
-- batches of 10,000, each committed on its own, so that nobody waits for long and the event log
-- goes on.
do $$
declare
  last bigint := 0;
  batch_end bigint;
begin
  loop
    batch_end := (select max(b.id) from (select a.id from accounts a where a.id > last order by a.id limit 10000) b);
    exit when batch_end is null;
    update accounts a
    set url = case when octet_length(a.url) > 2048 then a.uri else a.url end,
      avatar = case when octet_length(a.avatar ->> 'key') <= 2048 then a.avatar end,
      avatar_remote_url = case when octet_length(a.avatar_remote_url) <= 2048 then a.avatar_remote_url end,
      header = case when octet_length(a.header ->> 'key') <= 2048 then a.header end,
      header_remote_url = case when octet_length(a.header_remote_url) <= 2048 then a.header_remote_url end
    where a.id > last and a.id <= batch_end and a.domain is not null and greatest(
      octet_length(a.url), octet_length(a.avatar ->> 'key'), octet_length(a.avatar_remote_url), octet_length(a.header ->> 'key'),
      octet_length(a.header_remote_url)
    ) > 2048;
    commit;
    last := batch_end;
  end loop;
end
$$;
