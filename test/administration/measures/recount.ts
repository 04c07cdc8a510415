/** The slow way to each figure: a count of the rows themselves. $1 is a day. */
export const RECOUNTS: Readonly<Record<string, string>> = {
  active_users: `select count(*) from active_days where day = $1::date`,
  new_users: `select count(*) from users where (created_at at time zone 'UTC')::date = $1`,
  interactions: `select
    (select count(*) from favourites f join accounts a on a.id = f.account_id where a.domain is null and (f.created_at at time zone 'UTC')::date = $1)
    + (select count(*) from follows f join accounts a on a.id = f.account_id where a.domain is null and (f.created_at at time zone 'UTC')::date = $1)
    + (select count(distinct (v.poll_id, v.account_id)) from poll_votes v join accounts a on a.id = v.account_id
       where a.domain is null and (v.created_at at time zone 'UTC')::date = $1)
    + (select count(*) from statuses s where s.local and snowflake_day(s.id) = $1
       and (s.reblog_of_id is not null or s.in_reply_to_account_id <> s.account_id)) as count`,
  opened_reports: `select count(*) from reports where (created_at at time zone 'UTC')::date = $1`,
  resolved_reports: `select count(*) from reports where (action_taken_at at time zone 'UTC')::date = $1`,
}

/** Of a domain ($2, with its subdomains when $3) on a day, or of all time when $1 is null. */
const ofDomain = (what: string, from: string, day: string): string =>
  `select coalesce(${what}, 0)::bigint as count from ${from}
   where (a.domain = $2 or ($3::boolean and a.domain like '%.' || $2)) and ($1::date is null or ${day} = $1::date)`

export const INSTANCE_RECOUNTS: Readonly<Record<string, string>> = {
  instance_accounts: ofDomain('count(*)', 'accounts a', 'snowflake_day(a.id)'),
  instance_media_attachments: ofDomain(
    'sum(m.file_bytes + m.preview_bytes)',
    'media_attachments m join accounts a on a.id = m.account_id',
    'snowflake_day(m.id)',
  ),
  instance_reports: ofDomain(
    'count(*)',
    'reports r join accounts a on a.id = r.target_account_id',
    `(r.created_at at time zone 'UTC')::date`,
  ),
  instance_statuses: ofDomain(
    'count(*)',
    '(select * from statuses where deleted_at is null) s join accounts a on a.id = s.account_id',
    'snowflake_day(s.id)',
  ),
  instance_follows: ofDomain(
    'count(*)',
    'follows f join accounts a on a.id = f.target_account_id',
    `(f.created_at at time zone 'UTC')::date`,
  ),
  instance_followers: ofDomain(
    'count(*)',
    'follows f join accounts a on a.id = f.account_id',
    `(f.created_at at time zone 'UTC')::date`,
  ),
}

/** Of a hashtag ($3) in the days from $1 to $2. */
const ofTag = (what: string, where: string): string =>
  `select count(${what}) from status_tags x join statuses s on s.id = x.status_id join accounts a on a.id = s.account_id
   where x.tag_id = $3 and snowflake_day(s.id) between $1::date and $2::date and s.deleted_at is null and ${where}`
/** Statuses that everybody may find. */
const LISTED = `s.visibility = 'public' and a.silenced_at is null and a.suspended_at is null and not a.pending`

export const TAG_RECOUNTS: Readonly<Record<string, string>> = {
  tag_uses: ofTag('*', LISTED),
  tag_accounts: ofTag('distinct s.account_id', LISTED),
  tag_servers: ofTag('distinct a.domain', 'true'),
}

/** The rows of a dimension in the days from $1 to $2; $3 is its subject. */
export const DIMENSION_RECOUNTS: Readonly<Record<string, string>> = {
  languages: `select locale as key, count(*) as value from users
    where (current_sign_in_at at time zone 'UTC')::date between $1 and $2 and locale is not null and $3::text is null group by 1`,
  sources: `select coalesce(a.name, 'web') as key, count(*) as value
    from users u left join applications a on a.id = u.created_by_application_id
    where (u.created_at at time zone 'UTC')::date between $1 and $2 and $3::text is null group by 1`,
  servers: `select coalesce(a.domain, 'here.example') as key, count(*) as value from statuses s join accounts a on a.id = s.account_id
    where snowflake_day(s.id) between $1 and $2 and $3::text is null group by 1`,
  tag_servers: `select coalesce(a.domain, 'here.example') as key, count(*) as value
    from status_tags x join statuses s on s.id = x.status_id join accounts a on a.id = s.account_id
    where x.tag_id = $3::bigint and s.deleted_at is null and snowflake_day(s.id) between $1 and $2 group by 1`,
  tag_languages: `select coalesce(s.language, 'und') as key, count(*) as value
    from status_tags x join statuses s on s.id = x.status_id
    where x.tag_id = $3::bigint and s.deleted_at is null and snowflake_day(s.id) between $1 and $2 group by 1`,
  instance_accounts: `select a.username as key, count(f.id) as value
    from accounts a left join follows f on f.target_account_id = a.id
    where a.domain = $3 and $1::date <= $2::date group by a.id`,
  instance_languages: `select coalesce(s.language, 'und') as key, count(*) as value
    from statuses s join accounts a on a.id = s.account_id
    where a.domain = $3 and s.reblog_of_id is null and s.deleted_at is null and snowflake_day(s.id) between $1 and $2 group by 1`,
}

/** Users of a cohort ($2, by day or month) who signed in at or after $3, and its size. */
export const COHORT_RECOUNT = `select
    count(*) filter (where date_trunc($1, current_sign_in_at at time zone 'UTC') >= $3::timestamp) as value, count(*) as size
  from users where date_trunc($1, created_at at time zone 'UTC') = $2::timestamp`
