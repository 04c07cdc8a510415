import path from 'node:path'
import { domainToASCII } from 'node:url'
import { createEnvironmentReader, type Environment, type EnvironmentReader } from './environment.ts'
import { parseNetworks } from './networks.ts'
import { findLanguage } from './languages/index.ts'

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
  /** The ws:// or wss:// URL that clients stream from. */
  streamingUrl: string
  dataDir: string
  databaseUrl: string | undefined
  databasePool: number
  /** Networks whose X-Forwarded-For is trusted. */
  trustedProxies: string
  workers: number
  /**
   * The server's language, also for people who have chosen none. A code of GET
   * /api/v1/instance/languages.
   */
  defaultLocale: string
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
  /** Whether the server belongs to one person: nobody else can sign up. */
  singleUserMode: boolean
  /** Only these e-mail domains and their subdomains may sign up; empty allows all. */
  emailDomainAllowlist: readonly string[]
  /** E-mail domains that may not sign up. */
  emailDomainDenylist: readonly string[]
  /** Whether sign-ups stay open when no moderator is active. */
  registrationsStayOpen: boolean
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
  /** Networks that may read /metrics. */
  metricsFrom: string
  eventRetentionHours: number
  /** The programs that convert audio and video, by name or path. */
  ffmpeg: string
  ffprobe: string
  /** The bucket for uploaded files; undefined: a local folder. */
  s3Bucket: string | undefined
  /** The URL of the server that has the bucket; undefined: Amazon's server for the region. */
  s3Endpoint: string | undefined
  s3Region: string
  /**
   * Undefined: found as Amazon's own programs find it, for example from the role of the machine.
   */
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
  /** The captcha service; undefined: sign-up asks for no captcha, whatever the setting says. */
  hcaptcha: { readonly siteKey: string; readonly secretKey: string; readonly verifyUrl: string } | undefined
}

const TRANSLATION_BACKENDS = ['deepl', 'libretranslate'] as const

/** An invalid environment; `message` has one line for each invalid variable. */
export class InvalidConfig extends Error {
  override readonly name = 'InvalidConfig'
}

interface Setting {
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
  { variable: 'PORT', default: '3000', meaning: 'port to listen on; 0 takes a free one' },
  { variable: 'BIND', default: '127.0.0.1', meaning: 'address to listen on' },
  { variable: 'HEALTH_PORT', default: 'none', meaning: 'another port for GET /health, which speaks HTTP/1.0 too' },
  { variable: 'PUBLIC_URL', default: 'http://localhost:$PORT', meaning: 'the URL that people and clients use' },
  { variable: 'LOCAL_DOMAIN', default: 'host of PUBLIC_URL', meaning: 'the domain in handles' },
  { variable: 'STREAMING_URL', default: 'PUBLIC_URL as ws(s)://', meaning: 'where clients are told to stream from' },
  { variable: 'DATA_DIR', default: './data', meaning: 'embedded PostgreSQL, local media, mail files' },
  { variable: 'DATABASE_URL', default: 'embedded PostgreSQL', meaning: 'an existing PostgreSQL 15 or newer' },
  { variable: 'DATABASE_POOL', default: '10', meaning: 'most database connections of a process' },
  { variable: 'TRUSTED_PROXIES', default: 'loopback', meaning: 'addresses (CIDR) whose X-Forwarded-For is believed' },
  { variable: 'WORKERS', default: '1', meaning: 'server processes sharing the port' },
  { variable: 'DEFAULT_LOCALE', default: 'en', meaning: 'language of the server and of those who chose none' },
  { variable: 'CACHE_MB', default: '128', meaning: 'memory of a process for what is rendered, and for feeds' },
  { variable: 'SMTP_URL', default: 'mail becomes files', meaning: 'outgoing mail, such as smtp://user:pass@host:587' },
  { variable: 'MAIL_FROM', default: 'Millrace <notifications@LOCAL_DOMAIN>', meaning: 'sender of mail' },
  { variable: 'SINGLE_USER_MODE', default: 'off', meaning: 'nobody signs up; / shows the first person' },
  { variable: 'EMAIL_DOMAIN_ALLOWLIST', default: 'every domain', meaning: 'e-mail domains that alone may sign up' },
  { variable: 'EMAIL_DOMAIN_DENYLIST', default: 'none', meaning: 'e-mail domains that may not sign up' },
  {
    variable: 'DISABLE_AUTOMATIC_SWITCHING_TO_APPROVED_REGISTRATIONS',
    default: 'off',
    meaning: 'sign-ups stay open when no moderator has been there for 8 days',
  },
  { variable: 'RATE_LIMITS', default: 'on', meaning: '`off` for load tests' },
  { variable: 'STREAMS_PER_ACCOUNT', default: '100', meaning: 'most open streams of an account, in each process' },
  { variable: 'STREAMS_PER_ADDRESS', default: '1000', meaning: 'most open streams of an address, in each process' },
  { variable: 'CRON', default: 'on', meaning: '`off` in trials: nothing is ranked or cleaned by the clock' },
  { variable: 'ALLOW_PRIVATE_ADDRESSES', default: 'off', meaning: 'let outgoing requests reach private addresses' },
  { variable: 'LOG_LEVEL', default: 'info', meaning: 'fatal, error, warn, info, debug or silent' },
  { variable: 'METRICS_FROM', default: 'loopback', meaning: 'addresses (CIDR) that may read /metrics' },
  { variable: 'EVENT_RETENTION_HOURS', default: '24', meaning: 'how long streams can be resumed' },
  { variable: 'FFMPEG', default: 'ffmpeg', meaning: 'program that converts audio and video, if any' },
  { variable: 'FFPROBE', default: 'ffprobe', meaning: 'program that looks into audio and video' },
  { variable: 'S3_BUCKET', default: 'files in DATA_DIR', meaning: 'bucket for media; the other S3_ settings need it' },
  { variable: 'S3_ENDPOINT', default: 'Amazon S3', meaning: 'URL of another S3 service' },
  { variable: 'S3_REGION', default: 'us-east-1', meaning: 'region of the bucket' },
  { variable: 'S3_ACCESS_KEY_ID', default: 'the role of the machine', meaning: 'key that may write to the bucket' },
  { variable: 'S3_SECRET_ACCESS_KEY', default: 'none', meaning: 'its secret', secret: true },
  { variable: 'S3_PATH_STYLE', default: 'on with S3_ENDPOINT', meaning: 'bucket in the path of URLs, not in the host' },
  { variable: 'S3_PUBLIC_URL', default: 'the bucket', meaning: 'where people fetch media, such as a CDN' },
  { variable: 'TRANSLATION_BACKEND', default: 'no translation', meaning: 'deepl or libretranslate' },
  { variable: 'TRANSLATION_URL', default: 'DeepL, by the plan', meaning: 'URL of the backend; due for libretranslate' },
  { variable: 'TRANSLATION_API_KEY', default: 'none', meaning: 'key of the backend; due for deepl', secret: true },
  { variable: 'HCAPTCHA_SITE_KEY', default: 'no captcha', meaning: 'key of hCaptcha; captcha_enabled asks for it' },
  { variable: 'HCAPTCHA_SECRET_KEY', default: 'none', meaning: 'its secret', secret: true },
  { variable: 'HCAPTCHA_VERIFY_URL', default: "hCaptcha's own", meaning: 'where solved captchas are checked' },
  { variable: 'DONATION_URL', default: 'no campaigns', meaning: 'where campaigns for donations are asked for' },
  { variable: 'DONATION_ENVIRONMENT', default: 'none', meaning: 'environment that the provider is told, if it asks' },
]

const HTTP = ['http:', 'https:']
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

/**
 * Reads the configuration from an environment. Pure.
 * @throws InvalidConfig naming every invalid variable
 */
export function readConfig(env: Environment): Config {
  const reader = createEnvironmentReader(env)
  const { text, integer, flag, url, oneOf } = reader
  const port = integer('PORT', 3000, 0, 65535)
  const publicUrl = url('PUBLIC_URL', `http://localhost:${port}`, HTTP)
  if (new URL(publicUrl).pathname !== '/') reader.fault(`PUBLIC_URL must have no path, not "${publicUrl}"`)
  const localDomain = (text('LOCAL_DOMAIN') ?? new URL(publicUrl).host).toLowerCase()
  const config: Config = {
    port,
    bind: text('BIND') ?? '127.0.0.1',
    healthPort: integer('HEALTH_PORT', 0, 1, 65535),
    publicUrl,
    localDomain,
    streamingUrl: url('STREAMING_URL', publicUrl.replace(/^http/, 'ws'), ['ws:', 'wss:']),
    dataDir: path.resolve(text('DATA_DIR') ?? 'data'),
    databaseUrl: readUri(reader, 'DATABASE_URL', ['postgres', 'postgresql']),
    databasePool: integer('DATABASE_POOL', 10, 2, 500),
    trustedProxies: readNetworks(reader, 'TRUSTED_PROXIES', 'loopback'),
    workers: integer('WORKERS', 1, 1, 256),
    defaultLocale: readLocale(reader),
    cacheBytes: integer('CACHE_MB', 128, 16, 1_000_000) * 1_000_000,
    smtpUrl: readUri(reader, 'SMTP_URL', ['smtp', 'smtps']),
    mailFrom: text('MAIL_FROM') ?? `Millrace <notifications@${localDomain.replace(/:\d+$/, '')}>`,
    singleUserMode: flag('SINGLE_USER_MODE', false),
    emailDomainAllowlist: readDomains(reader, 'EMAIL_DOMAIN_ALLOWLIST'),
    emailDomainDenylist: readDomains(reader, 'EMAIL_DOMAIN_DENYLIST'),
    registrationsStayOpen: flag('DISABLE_AUTOMATIC_SWITCHING_TO_APPROVED_REGISTRATIONS', false),
    rateLimits: flag('RATE_LIMITS', true),
    streamsPerAccount: integer('STREAMS_PER_ACCOUNT', 100, 1, 1_000_000),
    streamsPerAddress: integer('STREAMS_PER_ADDRESS', 1000, 1, 1_000_000),
    cron: flag('CRON', true),
    allowPrivateAddresses: flag('ALLOW_PRIVATE_ADDRESSES', false),
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    metricsFrom: readNetworks(reader, 'METRICS_FROM', 'loopback'),
    eventRetentionHours: integer('EVENT_RETENTION_HOURS', 24, 1, 24 * 365),
    ffmpeg: text('FFMPEG') ?? 'ffmpeg',
    ffprobe: text('FFPROBE') ?? 'ffprobe',
    ...readBucket(reader),
    ...readTranslation(reader),
    hcaptcha: readCaptcha(reader),
    donationUrl: url('DONATION_URL', undefined, HTTP),
    donationEnvironment: text('DONATION_ENVIRONMENT'),
  }
  if (port !== 0 && config.healthPort === port) reader.fault(`HEALTH_PORT must be another port than PORT, ${port}`)
  if (reader.faults.length > 0) throw new InvalidConfig(reader.faults.join('\n'))
  return Object.freeze(config)
}

function readLocale(reader: EnvironmentReader): string {
  const asked = reader.text('DEFAULT_LOCALE') ?? 'en'
  const known = findLanguage(asked)
  if (known === undefined) reader.fault(`DEFAULT_LOCALE must be the code of a language, not "${asked}"`)
  return known ?? 'en'
}

function readNetworks(reader: EnvironmentReader, name: string, fallback: string): string {
  const value = reader.text(name) ?? fallback
  try {
    parseNetworks(value)
    return value
  } catch (error) {
    reader.fault(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    return fallback
  }
}

/** Domains separated by bars or commas, in ASCII. */
function readDomains(reader: EnvironmentReader, name: string): string[] {
  const given = (reader.text(name) ?? '').split(/[|,]/).map(part => part.trim())
  return given
    .filter(part => part !== '')
    .flatMap(part => {
      const domain = domainToASCII(part)
      if (domain === '') reader.fault(`${name}: "${part}" is no domain`)
      return domain === '' ? [] : [domain]
    })
}

/** A URL that is not http(s): it may have several hosts, and its library parses it. */
function readUri(reader: EnvironmentReader, name: string, schemes: readonly string[]): string | undefined {
  const value = reader.text(name)
  if (value !== undefined && !schemes.some(scheme => value.startsWith(`${scheme}://`)))
    reader.fault(`${name} must start with ${schemes.map(scheme => `${scheme}://`).join(' or ')}`)
  return value
}

function readCaptcha(reader: EnvironmentReader): Config['hcaptcha'] {
  const [siteKey, secretKey] = [reader.text('HCAPTCHA_SITE_KEY'), reader.text('HCAPTCHA_SECRET_KEY')]
  const verifyUrl = reader.url('HCAPTCHA_VERIFY_URL', 'https://api.hcaptcha.com/siteverify', HTTP)
  if (siteKey !== undefined && secretKey !== undefined) return { siteKey, secretKey, verifyUrl }
  if (siteKey !== secretKey) reader.fault('HCAPTCHA_SITE_KEY and HCAPTCHA_SECRET_KEY need each other')
  return undefined
}

type BucketConfig = Pick<Config, Extract<keyof Config, `s3${string}`>>

function readBucket(reader: EnvironmentReader): BucketConfig {
  const endpoint = reader.url('S3_ENDPOINT', undefined, HTTP)
  const bucket: BucketConfig = {
    s3Bucket: reader.text('S3_BUCKET'),
    s3Endpoint: endpoint,
    s3Region: reader.text('S3_REGION') ?? 'us-east-1',
    s3AccessKeyId: reader.text('S3_ACCESS_KEY_ID'),
    s3SecretAccessKey: reader.text('S3_SECRET_ACCESS_KEY'),
    s3PathStyle: reader.flag('S3_PATH_STYLE', endpoint !== undefined),
    s3PublicUrl: reader.url('S3_PUBLIC_URL', undefined, HTTP),
  }
  if (bucket.s3Bucket === undefined && endpoint !== undefined) reader.fault('S3_ENDPOINT needs S3_BUCKET')
  if ((bucket.s3AccessKeyId === undefined) !== (bucket.s3SecretAccessKey === undefined))
    reader.fault('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY need each other')
  return bucket
}

type TranslationConfig = Pick<Config, Extract<keyof Config, `translation${string}`>>

function readTranslation(reader: EnvironmentReader): TranslationConfig {
  const backend = reader.oneOf('TRANSLATION_BACKEND', TRANSLATION_BACKENDS, undefined)
  const url = reader.url('TRANSLATION_URL', undefined, HTTP)
  const key = reader.text('TRANSLATION_API_KEY')
  if (backend === 'deepl' && key === undefined) reader.fault('TRANSLATION_BACKEND=deepl needs TRANSLATION_API_KEY')
  if (backend === 'libretranslate' && url === undefined)
    reader.fault('TRANSLATION_BACKEND=libretranslate needs TRANSLATION_URL')
  return { translationBackend: backend, translationUrl: url, translationApiKey: key }
}
