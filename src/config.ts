import path from 'node:path'
import { parseTrustedProxies } from './http/client-address.ts'

/** Everything the environment decides, read once at start. Times in milliseconds unless the name says otherwise. */
export interface Config {
  port: number
  bind: string
  /** Without a trailing slash. */
  publicUrl: string
  /** The domain in handles, such as `example.com` in @alice@example.com. */
  localDomain: string
  /** ws:// or wss:// URL that clients stream from. */
  streamingUrl: string
  dataDir: string
  databaseUrl: string | undefined
  databasePool: number
  /** Networks whose X-Forwarded-* is believed. */
  trustedProxies: string
  workers: number
  smtpUrl: string | undefined
  mailFrom: string
  rateLimits: boolean
  allowPrivateAddresses: boolean
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
  /** Networks that may read /metrics. */
  metricsFrom: string
  eventRetentionHours: number
  /** The programs that convert audio and video, by name or path. */
  ffmpeg: string
  ffprobe: string
}

/** A fault in the environment; `message` has one line for each variable that is wrong. */
export class InvalidConfig extends Error {
  override readonly name = 'InvalidConfig'
}

interface Setting {
  variable: string
  default: string
  meaning: string
}

/** The table that the README's is made from (`npm run --silent ctl -- config --table`). */
export const CONFIG_TABLE: readonly Setting[] = [
  { variable: 'PORT', default: '3000', meaning: 'port to listen on; 0 takes a free one' },
  { variable: 'BIND', default: '127.0.0.1', meaning: 'address to listen on' },
  { variable: 'PUBLIC_URL', default: 'http://localhost:$PORT', meaning: 'the URL that people and clients use' },
  { variable: 'LOCAL_DOMAIN', default: 'host of PUBLIC_URL', meaning: 'the domain in handles' },
  { variable: 'STREAMING_URL', default: 'PUBLIC_URL as ws(s)://', meaning: 'where clients are told to stream from' },
  { variable: 'DATA_DIR', default: './data', meaning: 'embedded PostgreSQL, local media, mail files' },
  { variable: 'DATABASE_URL', default: 'embedded PostgreSQL', meaning: 'an existing PostgreSQL 15 or newer' },
  { variable: 'DATABASE_POOL', default: '10', meaning: 'most database connections of a process' },
  { variable: 'TRUSTED_PROXIES', default: 'loopback', meaning: 'addresses (CIDR) whose X-Forwarded-* are believed' },
  { variable: 'WORKERS', default: '1', meaning: 'server processes sharing the port' },
  { variable: 'SMTP_URL', default: 'mail becomes files', meaning: 'outgoing mail, such as smtp://user:pass@host:587' },
  { variable: 'MAIL_FROM', default: 'Millrace <notifications@LOCAL_DOMAIN>', meaning: 'sender of mail' },
  { variable: 'RATE_LIMITS', default: 'on', meaning: '`off` for load tests' },
  { variable: 'ALLOW_PRIVATE_ADDRESSES', default: 'off', meaning: 'let outgoing requests reach private addresses' },
  { variable: 'LOG_LEVEL', default: 'info', meaning: 'fatal, error, warn, info, debug or silent' },
  { variable: 'METRICS_FROM', default: 'loopback', meaning: 'addresses (CIDR) that may read /metrics' },
  { variable: 'EVENT_RETENTION_HOURS', default: '24', meaning: 'how long streams can be resumed' },
  { variable: 'FFMPEG', default: 'ffmpeg', meaning: 'program that converts audio and video, if any' },
  { variable: 'FFPROBE', default: 'ffprobe', meaning: 'program that looks into audio and video' },
]

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
const ON = new Set(['on', 'true', '1', 'yes'])
const OFF = new Set(['off', 'false', '0', 'no'])

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The configuration that an environment asks for. Pure.
 * @throws InvalidConfig that names every variable that is wrong.
 */
export function readConfig(env: Environment): Config {
  const faults: string[] = []
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? undefined : value
  }
  const integer = (name: string, fallback: number, least: number, most: number): number => {
    const value = text(name)
    if (value === undefined) return fallback
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return number
    faults.push(`${name} must be a whole number from ${least} to ${most}, not "${value}"`)
    return fallback
  }
  const flag = (name: string, fallback: boolean): boolean => {
    const value = text(name)?.toLowerCase()
    if (value === undefined) return fallback
    if (ON.has(value)) return true
    if (!OFF.has(value)) faults.push(`${name} must be on or off, not "${value}"`)
    return false
  }
  const url = (name: string, fallback: string, protocols: readonly string[]): string => {
    const value = text(name)
    if (value === undefined) return fallback
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, '')
    faults.push(`${name} must be a URL starting with ${protocols.map(p => `${p}//`).join(' or ')}, not "${value}"`)
    return fallback
  }
  const networks = (name: string, fallback: string): string => {
    const value = text(name) ?? fallback
    try {
      parseTrustedProxies(value)
      return value
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      return fallback
    }
  }

  const port = integer('PORT', 3000, 0, 65535)
  const publicUrl = url('PUBLIC_URL', `http://localhost:${port}`, ['http:', 'https:'])
  if (new URL(publicUrl).pathname !== '/') faults.push(`PUBLIC_URL must have no path, not "${publicUrl}"`)
  const databaseUrl = text('DATABASE_URL')
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    faults.push('DATABASE_URL must start with postgres:// or postgresql://')
  }
  const smtpUrl = text('SMTP_URL')
  if (smtpUrl !== undefined && !/^smtps?:\/\//.test(smtpUrl))
    faults.push('SMTP_URL must start with smtp:// or smtps://')
  const level = text('LOG_LEVEL') ?? 'info'
  const logLevel = LOG_LEVELS.find(known => known === level)
  if (!logLevel) faults.push(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${level}"`)
  const localDomain = (text('LOCAL_DOMAIN') ?? new URL(publicUrl).host).toLowerCase()
  const config: Config = {
    port,
    bind: text('BIND') ?? '127.0.0.1',
    publicUrl,
    localDomain,
    streamingUrl: url('STREAMING_URL', publicUrl.replace(/^http/, 'ws'), ['ws:', 'wss:']),
    dataDir: path.resolve(text('DATA_DIR') ?? 'data'),
    databaseUrl,
    databasePool: integer('DATABASE_POOL', 10, 2, 500),
    trustedProxies: networks('TRUSTED_PROXIES', 'loopback'),
    workers: integer('WORKERS', 1, 1, 256),
    smtpUrl,
    mailFrom: text('MAIL_FROM') ?? `Millrace <notifications@${localDomain.replace(/:\d+$/, '')}>`,
    rateLimits: flag('RATE_LIMITS', true),
    allowPrivateAddresses: flag('ALLOW_PRIVATE_ADDRESSES', false),
    logLevel: logLevel ?? 'info',
    metricsFrom: networks('METRICS_FROM', 'loopback'),
    eventRetentionHours: integer('EVENT_RETENTION_HOURS', 24, 1, 24 * 365),
    ffmpeg: text('FFMPEG') ?? 'ffmpeg',
    ffprobe: text('FFPROBE') ?? 'ffprobe',
  }
  if (faults.length > 0) throw new InvalidConfig(faults.join('\n'))
  return Object.freeze(config)
}
