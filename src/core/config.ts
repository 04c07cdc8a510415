import path from 'node:path'
import {
  readBucket,
  readCaptcha,
  readDonations,
  readFixedSettings,
  readTranslation,
  type FixedSettings,
  type TRANSLATION_BACKENDS,
} from './config_groups.ts'
import {
  readBind,
  readDomain,
  readDomains,
  readFolder,
  readLocale,
  readMailbox,
  readNetworks,
  readPublicUrl,
  readStreamingUrl,
} from './config_values.ts'
import { createEnvironmentReader, type Environment } from './environment.ts'
import { readDatabaseUrl, readMailUrl } from './service_urls.ts'

/**
 * All settings from the environment, read once at start. Times are in milliseconds unless the name
 * says otherwise.
 */
export interface Config {
  port: number
  bind: string
  /** 0: only `port` answers GET /health. */
  healthPort: number
  /** Without a trailing slash. */
  publicUrl: string
  /** The domain in handles, such as `example.com` in @alice@example.com. */
  localDomain: string
  /** Further domains in handles, which WebFinger resolves to accounts of `localDomain`. */
  alternateDomains: readonly string[]
  /** The ws:// or wss:// URL that clients stream from. */
  streamingUrl: string
  dataDir: string
  databaseUrl: string | undefined
  databaseWaitSeconds: number
  databasePool: number
  /** A connection whose statement gets no answer for this long is considered lost. */
  databaseAnswerSeconds: number
  /** Networks whose X-Forwarded-For is trusted. */
  trustedProxies: string
  workers: number
  /**
   * The server's language, also for people who have chosen none. A code of GET
   * /api/v1/instance/languages.
   */
  defaultLocale: string
  /** Ignores the languages that browsers accept. */
  forceDefaultLocale: boolean
  /** Whether NodeInfo names Mastodon, by which some clients decide what they offer. */
  nodeinfoAsMastodon: boolean
  /**
   * The limit of follows; beyond it an account follows at most `followRatio` times the number of
   * its followers.
   */
  followThreshold: number
  followRatio: number
  /** The limit of a process's caches for rendered entities, feeds and responses. */
  cacheBytes: number
  smtpUrl: string | undefined
  mailFrom: string
  rateLimits: boolean
  /**
   * The limit of streaming connections per account, and per address, in a process; none are refused
   * without rate limits.
   */
  streamsPerAccount: number
  streamsPerAddress: number
  /** Whether jobs with a `cron` schedule run (src/platform/jobs/job.ts). */
  cron: boolean
  allowPrivateAddresses: boolean
  /** The stored settings that variables override. */
  fixedSettings: FixedSettings
  /** Whether the server belongs to one person: nobody else can sign up. */
  singleUserMode: boolean
  /**
   * The value that `ctl self-destruct` printed: the server tells all others that its accounts are
   * deleted, and answers nothing else.
   */
  selfDestruct: string | undefined
  /** Only these e-mail domains and their subdomains may sign up; empty allows all. */
  emailDomainAllowlist: readonly string[]
  /** E-mail domains that may not sign up. */
  emailDomainDenylist: readonly string[]
  /** Whether sign-ups stay open when no moderator is active. */
  registrationsStayOpen: boolean
  /** Whether lists of followers are compared with other servers (FEP-8fcf). */
  followersSynchronization: boolean
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
  /** Whether lines of requests name the client's address and account. */
  logClients: boolean
  /** Networks that may read /metrics. */
  metricsFrom: string
  /** How long addresses of people and the records of their sign-ins are stored. */
  ipRetentionSeconds: number
  /** A browser that was not used for this long is signed out. */
  sessionRetentionSeconds: number
  /** The limit of browsers in which a user is signed in; the oldest are signed out. */
  maxSessions: number
  eventRetentionHours: number
  /** The folder of daily backups; undefined: none are made. */
  backupDir: string | undefined
  /** How many daily backups are kept. */
  backupKeep: number
  /** The programs that convert audio and video, by name or path. */
  ffmpeg: string
  ffprobe: string
  /** The bucket for uploaded files; undefined: a local folder. */
  s3Bucket: string | undefined
  /** The URL of the server that has the bucket; undefined: Amazon's server for the region. */
  s3Endpoint: string | undefined
  s3Region: string
  /** Undefined: looked up as the AWS SDK does by default, for example from the machine's role. */
  s3AccessKeyId: string | undefined
  s3SecretAccessKey: string | undefined
  /** Whether URLs name the bucket in the path instead of the host. */
  s3PathStyle: boolean
  /** The URL that precedes the keys of files for clients; undefined: the bucket's own. */
  s3PublicUrl: string | undefined
  /** Undefined: translation is off. */
  translationBackend: (typeof TRANSLATION_BACKENDS)[number] | undefined
  translationUrl: string | undefined
  translationApiKey: string | undefined
  /** The URL that lists donation campaigns; undefined: there are none. */
  donationUrl: string | undefined
  donationEnvironment: string | undefined
  /** The folder of a web client that is served at `/`; undefined: the server's own pages. */
  webClient: string | undefined
  /** The captcha service; undefined: sign-up asks for no captcha, regardless of the setting. */
  hcaptcha: { readonly siteKey: string; readonly secretKey: string; readonly verifyUrl: string } | undefined
}

/** An invalid environment; `message` has one line for each invalid variable. */
export class InvalidConfig extends Error {
  override readonly name = 'InvalidConfig'
}

const YEAR_SECONDS = 31_556_952
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

/**
 * Reads the configuration from an environment. Pure.
 * @throws InvalidConfig naming every invalid variable
 */
export function readConfig(env: Environment): Config {
  const reader = createEnvironmentReader(env)
  const { text, integer, decimal, flag, oneOf } = reader
  const port = integer('PORT', 3000, 0, 65535)
  const publicUrl = readPublicUrl(reader, port)
  const localDomain = readDomain(reader, 'LOCAL_DOMAIN', new URL(publicUrl).host)
  const config: Config = {
    port,
    bind: readBind(reader),
    healthPort: integer('HEALTH_PORT', 0, 1, 65535),
    publicUrl,
    localDomain,
    alternateDomains: readDomains(reader, 'ALTERNATE_DOMAINS'),
    streamingUrl: readStreamingUrl(reader, publicUrl),
    dataDir: path.resolve(text('DATA_DIR') ?? 'data'),
    databaseUrl: readDatabaseUrl(reader),
    databaseWaitSeconds: integer('DATABASE_WAIT_SECONDS', 60, 0, 3600),
    databasePool: integer('DATABASE_POOL', 10, 2, 500),
    databaseAnswerSeconds: integer('DATABASE_ANSWER_SECONDS', 60, 1, 3600),
    trustedProxies: readNetworks(reader, 'TRUSTED_PROXIES', 'loopback'),
    workers: integer('WORKERS', 1, 1, 256),
    defaultLocale: readLocale(reader),
    forceDefaultLocale: flag('FORCE_DEFAULT_LOCALE', false),
    nodeinfoAsMastodon: flag('NODEINFO_AS_MASTODON', false),
    followThreshold: integer('MAX_FOLLOWS_THRESHOLD', 7500, 1, 1_000_000),
    followRatio: decimal('MAX_FOLLOWS_RATIO', 1.1, 0, 1000),
    cacheBytes: integer('CACHE_MB', 128, 16, 1_000_000) * 1_000_000,
    smtpUrl: readMailUrl(reader),
    mailFrom: readMailbox(reader, 'MAIL_FROM', `Millrace <notifications@${localDomain.replace(/:\d+$/, '')}>`),
    selfDestruct: text('SELF_DESTRUCT'),
    fixedSettings: readFixedSettings(reader),
    singleUserMode: flag('SINGLE_USER_MODE', false),
    emailDomainAllowlist: readDomains(reader, 'EMAIL_DOMAIN_ALLOWLIST'),
    emailDomainDenylist: readDomains(reader, 'EMAIL_DOMAIN_DENYLIST'),
    registrationsStayOpen: flag('DISABLE_AUTOMATIC_SWITCHING_TO_APPROVED_REGISTRATIONS', false),
    followersSynchronization: !flag('DISABLE_FOLLOWERS_SYNCHRONIZATION', false),
    rateLimits: flag('RATE_LIMITS', true),
    streamsPerAccount: integer('STREAMS_PER_ACCOUNT', 100, 1, 1_000_000),
    streamsPerAddress: integer('STREAMS_PER_ADDRESS', 1000, 1, 1_000_000),
    cron: flag('CRON', true),
    allowPrivateAddresses: flag('ALLOW_PRIVATE_ADDRESSES', false),
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    logClients: flag('LOG_CLIENTS', false),
    metricsFrom: readNetworks(reader, 'METRICS_FROM', 'loopback'),
    ipRetentionSeconds: integer('IP_RETENTION_PERIOD', YEAR_SECONDS, 3600, 100 * YEAR_SECONDS),
    sessionRetentionSeconds: integer('SESSION_RETENTION_PERIOD', YEAR_SECONDS, 3600, YEAR_SECONDS),
    maxSessions: integer('MAX_SESSION_ACTIVATIONS', 10, 1, 10_000),
    eventRetentionHours: integer('EVENT_RETENTION_HOURS', 24, 1, 24 * 365),
    backupDir: text('BACKUP_DIR') === undefined ? undefined : path.resolve(text('BACKUP_DIR') ?? ''),
    backupKeep: integer('BACKUP_KEEP', 7, 1, 10_000),
    ffmpeg: text('FFMPEG') ?? 'ffmpeg',
    ffprobe: text('FFPROBE') ?? 'ffprobe',
    webClient: readFolder(reader, 'WEB_CLIENT'),
    ...readBucket(reader),
    ...readTranslation(reader),
    ...readDonations(reader),
    hcaptcha: readCaptcha(reader),
  }
  if (port !== 0 && config.healthPort === port) reader.addError(`HEALTH_PORT must be another port than PORT, ${port}`)
  if (reader.errors.length > 0) throw new InvalidConfig(reader.errors.join('\n'))
  return Object.freeze(config)
}
