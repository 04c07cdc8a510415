-- URLs of other servers' accounts were of any length, and each entity of an account contains them.
-- An account without a picture gets it again when its document is fetched.
update accounts a
set url = case when octet_length(a.url) > 2048 then a.uri else a.url end,
  avatar = case when octet_length(a.avatar ->> 'key') <= 2048 then a.avatar end,
  avatar_remote_url = case when octet_length(a.avatar_remote_url) <= 2048 then a.avatar_remote_url end,
  header = case when octet_length(a.header ->> 'key') <= 2048 then a.header end,
  header_remote_url = case when octet_length(a.header_remote_url) <= 2048 then a.header_remote_url end
where a.domain is not null and greatest(
  octet_length(a.url), octet_length(a.avatar ->> 'key'), octet_length(a.avatar_remote_url), octet_length(a.header ->> 'key'),
  octet_length(a.header_remote_url)
) > 2048;
