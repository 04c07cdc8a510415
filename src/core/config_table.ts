export interface Setting {
  variable: string
  default: string
  meaning: string
  /** Whether the value is a secret that must never be displayed. */
  secret?: true
}

/**
 * The source of the table of settings in the documentation (`npm run --silent ctl -- config
 * --table`).
 */
export const CONFIG_TABLE: readonly Setting[] = [
  { variable: 'ENV_FILE', default: 'none', meaning: 'file with more of these, read by each rolling restart too' },
  { variable: 'PORT', default: '3000', meaning: 'port to listen on; 0 takes a free one' },
  { variable: 'BIND', default: '127.0.0.1', meaning: 'address to listen on' },
  { variable: 'HEALTH_PORT', default: 'none', meaning: 'another port for GET /health, which speaks HTTP/1.0 too' },
  { variable: 'PUBLIC_URL', default: 'http://localhost:$PORT', meaning: 'URL for browsers and clients' },
  { variable: 'LOCAL_DOMAIN', default: 'host of PUBLIC_URL', meaning: 'the domain in handles' },
  { variable: 'ALTERNATE_DOMAINS', default: 'none', meaning: 'other domains of handles, for WebFinger' },
  { variable: 'STREAMING_URL', default: 'PUBLIC_URL as ws(s)://', meaning: 'URL that clients stream from' },
  { variable: 'DATA_DIR', default: './data', meaning: 'embedded PostgreSQL, local media, mail files' },
  { variable: 'DATABASE_URL', default: 'embedded PostgreSQL', meaning: 'an existing PostgreSQL 15 or newer' },
  {
    variable: 'DATABASE_WAIT_SECONDS',
    default: '60',
    meaning: 'how long the start waits for a database that is not up yet',
  },
  {
    variable: 'DATABASE_ANSWER_SECONDS',
    default: '60',
    meaning: 'a connection without an answer for this long is given up',
  },
  { variable: 'DATABASE_POOL', default: '10', meaning: 'database connections of a process for requests, at most' },
  { variable: 'TRUSTED_PROXIES', default: 'loopback', meaning: 'addresses (CIDR) whose X-Forwarded-For is trusted' },
  { variable: 'WORKERS', default: '1', meaning: 'server processes sharing the port' },
  { variable: 'DEFAULT_LOCALE', default: 'en', meaning: 'language of the server and of users without a choice' },
  { variable: 'FORCE_DEFAULT_LOCALE', default: 'off', meaning: 'ignore the languages that browsers accept' },
  { variable: 'NODEINFO_AS_MASTODON', default: 'off', meaning: 'NodeInfo names Mastodon, as some clients require' },
  { variable: 'MAX_FOLLOWS_THRESHOLD', default: '7500', meaning: 'accounts that anybody may follow' },
  {
    variable: 'MAX_FOLLOWS_RATIO',
    default: '1.1',
    meaning: 'beyond that, follows are limited to this many times the followers',
  },
  { variable: 'CACHE_MB', default: '128', meaning: 'memory of a process for caches and feeds' },
  { variable: 'SMTP_URL', default: 'mail becomes files', meaning: 'outgoing mail, such as smtp://user:pass@host:587' },
  { variable: 'MAIL_FROM', default: 'Millrace <notifications@LOCAL_DOMAIN>', meaning: 'sender of mail' },
  {
    variable: 'LIMITED_FEDERATION_MODE',
    default: 'the setting limited_federation_mode',
    meaning: 'federate with allowed domains only (formerly WHITELIST_MODE)',
  },
  {
    variable: 'AUTHORIZED_FETCH',
    default: 'the setting authorized_fetch',
    meaning: 'signed ActivityPub requests only',
  },
  {
    variable: 'DISALLOW_UNAUTHENTICATED_API_ACCESS',
    default: 'the setting of this name',
    meaning: 'every API request needs a signed-in user',
  },
  { variable: 'SINGLE_USER_MODE', default: 'off', meaning: 'nobody signs up; / shows the first user' },
  { variable: 'SELF_DESTRUCT', default: 'off', meaning: 'value of `ctl self-destruct`: end for good', secret: true },
  { variable: 'EMAIL_DOMAIN_ALLOWLIST', default: 'every domain', meaning: 'only these e-mail domains may sign up' },
  { variable: 'EMAIL_DOMAIN_DENYLIST', default: 'none', meaning: 'e-mail domains that may not sign up' },
  {
    variable: 'DISABLE_AUTOMATIC_SWITCHING_TO_APPROVED_REGISTRATIONS',
    default: 'off',
    meaning: 'sign-ups stay open when no moderator was active for 8 days',
  },
  {
    variable: 'DISABLE_FOLLOWERS_SYNCHRONIZATION',
    default: 'off',
    meaning: 'lists of followers are not compared with other servers',
  },
  { variable: 'RATE_LIMITS', default: 'on', meaning: '`off` for load tests' },
  {
    variable: 'STREAMS_PER_ACCOUNT',
    default: '100',
    meaning: 'maximum of open streams of an account, in each process',
  },
  {
    variable: 'STREAMS_PER_ADDRESS',
    default: '1000',
    meaning: 'maximum of open streams of an address, in each process',
  },
  { variable: 'CRON', default: 'on', meaning: '`off` for trials: no scheduled jobs run' },
  { variable: 'ALLOW_PRIVATE_ADDRESSES', default: 'off', meaning: 'let outgoing requests reach private addresses' },
  { variable: 'LOG_LEVEL', default: 'info', meaning: 'fatal, error, warn, info, debug or silent' },
  { variable: 'LOG_CLIENTS', default: 'off', meaning: 'name address and account in the log lines of requests' },
  { variable: 'METRICS_FROM', default: 'loopback', meaning: 'addresses (CIDR) that may read /metrics' },
  { variable: 'IP_RETENTION_PERIOD', default: '31556952', meaning: 'seconds that addresses of people are stored' },
  {
    variable: 'SESSION_RETENTION_PERIOD',
    default: '31556952',
    meaning: 'seconds after which an unused browser is signed out',
  },
  { variable: 'MAX_SESSION_ACTIVATIONS', default: '10', meaning: 'browsers in which a user is signed in' },
  { variable: 'EVENT_RETENTION_HOURS', default: '24', meaning: 'how long streams can be resumed' },
  { variable: 'BACKUP_DIR', default: 'no backups', meaning: 'folder for a backup each night' },
  { variable: 'BACKUP_KEEP', default: '7', meaning: 'number of nightly backups that are kept' },
  { variable: 'FFMPEG', default: 'ffmpeg', meaning: 'program that converts audio and video, if any' },
  { variable: 'FFPROBE', default: 'ffprobe', meaning: 'program that inspects audio and video' },
  { variable: 'S3_BUCKET', default: 'files in DATA_DIR', meaning: 'bucket for media; the other S3_ settings need it' },
  { variable: 'S3_ENDPOINT', default: 'Amazon S3', meaning: 'URL of another S3 service' },
  { variable: 'S3_REGION', default: 'us-east-1', meaning: 'region of the bucket' },
  { variable: 'S3_ACCESS_KEY_ID', default: 'the role of the machine', meaning: 'key that may write to the bucket' },
  { variable: 'S3_SECRET_ACCESS_KEY', default: 'none', meaning: 'its secret', secret: true },
  { variable: 'S3_PATH_STYLE', default: 'on with S3_ENDPOINT', meaning: 'bucket in the path of URLs, not in the host' },
  { variable: 'S3_PUBLIC_URL', default: 'the bucket', meaning: 'URL for clients to fetch media, such as a CDN' },
  { variable: 'WEB_CLIENT', default: "the server's own pages", meaning: 'folder of a web client, served at /' },
  { variable: 'TRANSLATION_BACKEND', default: 'no translation', meaning: 'deepl or libretranslate' },
  {
    variable: 'TRANSLATION_URL',
    default: 'DeepL, by the plan',
    meaning: 'URL of the backend; required for libretranslate',
  },
  { variable: 'TRANSLATION_API_KEY', default: 'none', meaning: 'key of the backend; required for deepl', secret: true },
  { variable: 'HCAPTCHA_SITE_KEY', default: 'no captcha', meaning: 'key of hCaptcha; required by captcha_enabled' },
  { variable: 'HCAPTCHA_SECRET_KEY', default: 'none', meaning: 'its secret', secret: true },
  { variable: 'HCAPTCHA_VERIFY_URL', default: "hCaptcha's own", meaning: 'URL that checks solved captchas' },
  { variable: 'DONATION_URL', default: 'no campaigns', meaning: 'URL that lists donation campaigns' },
  { variable: 'DONATION_ENVIRONMENT', default: 'none', meaning: 'environment sent to the provider of campaigns' },
]
