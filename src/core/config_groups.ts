import type { Config } from './config.ts'
import { readBase } from './config_values.ts'
import type { EnvironmentReader } from './environment.ts'

/* Settings that need each other. */

const HTTP = ['http:', 'https:']
export const TRANSLATION_BACKENDS = ['deepl', 'libretranslate'] as const
/** The rules of Amazon, which other services share. */
const BUCKET = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** Records an error for each variable that is set although the one that it belongs to is not. */
function requireWith(reader: EnvironmentReader, needed: string, names: readonly string[]): void {
  if (reader.text(needed) !== undefined) return
  for (const name of names) if (reader.text(name) !== undefined) reader.addError(`${name} needs ${needed}`)
}

/** Records an error when only one of two variables is set. */
function requireBoth(reader: EnvironmentReader, one: string, other: string): void {
  if ((reader.text(one) === undefined) !== (reader.text(other) === undefined))
    reader.addError(`${one} and ${other} need each other`)
}

export function readCaptcha(reader: EnvironmentReader): Config['hcaptcha'] {
  const [siteKey, secretKey] = [reader.text('HCAPTCHA_SITE_KEY'), reader.text('HCAPTCHA_SECRET_KEY')]
  const verifyUrl = reader.url('HCAPTCHA_VERIFY_URL', 'https://api.hcaptcha.com/siteverify', HTTP)
  requireBoth(reader, 'HCAPTCHA_SITE_KEY', 'HCAPTCHA_SECRET_KEY')
  if (secretKey === undefined) requireWith(reader, 'HCAPTCHA_SITE_KEY', ['HCAPTCHA_VERIFY_URL'])
  return siteKey !== undefined && secretKey !== undefined ? { siteKey, secretKey, verifyUrl } : undefined
}

export function readBucket(reader: EnvironmentReader): Pick<Config, Extract<keyof Config, `s3${string}`>> {
  const endpoint = readBase(reader, 'S3_ENDPOINT', undefined)
  const bucket = reader.text('S3_BUCKET')
  const parts = [
    'S3_ENDPOINT',
    'S3_REGION',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'S3_PATH_STYLE',
    'S3_PUBLIC_URL',
  ]
  requireWith(reader, 'S3_BUCKET', parts)
  requireBoth(reader, 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY')
  if (bucket !== undefined && !BUCKET.test(bucket))
    reader.addError(`S3_BUCKET must be 3 to 63 lower-case letters, digits, dots and hyphens, not "${bucket}"`)
  return {
    s3Bucket: bucket,
    s3Endpoint: endpoint,
    s3Region: reader.text('S3_REGION') ?? 'us-east-1',
    s3AccessKeyId: reader.text('S3_ACCESS_KEY_ID'),
    s3SecretAccessKey: reader.text('S3_SECRET_ACCESS_KEY'),
    s3PathStyle: reader.flag('S3_PATH_STYLE', endpoint !== undefined),
    s3PublicUrl: readBase(reader, 'S3_PUBLIC_URL', undefined),
  }
}

export function readTranslation(
  reader: EnvironmentReader,
): Pick<Config, Extract<keyof Config, `translation${string}`>> {
  const backend = reader.oneOf('TRANSLATION_BACKEND', TRANSLATION_BACKENDS, undefined)
  const url = reader.url('TRANSLATION_URL', undefined, HTTP)
  const key = reader.text('TRANSLATION_API_KEY')
  requireWith(reader, 'TRANSLATION_BACKEND', ['TRANSLATION_URL', 'TRANSLATION_API_KEY'])
  if (backend === 'deepl' && key === undefined) reader.addError('TRANSLATION_BACKEND=deepl needs TRANSLATION_API_KEY')
  if (backend === 'libretranslate' && url === undefined)
    reader.addError('TRANSLATION_BACKEND=libretranslate needs TRANSLATION_URL')
  return { translationBackend: backend, translationUrl: url, translationApiKey: key }
}

export function readDonations(reader: EnvironmentReader): Pick<Config, 'donationUrl' | 'donationEnvironment'> {
  requireWith(reader, 'DONATION_URL', ['DONATION_ENVIRONMENT'])
  return {
    donationUrl: reader.url('DONATION_URL', undefined, HTTP),
    donationEnvironment: reader.text('DONATION_ENVIRONMENT'),
  }
}

/** A value of a stored setting that a variable overrides. */
export interface FixedSetting {
  readonly value: boolean
  readonly variable: string
}

export type FixedSettings = Readonly<Partial<Record<keyof typeof FIXING_VARIABLES, FixedSetting>>>

/** The variables by which Mastodon is closed, the newer name first. */
const FIXING_VARIABLES = {
  disallow_unauthenticated_api_access: ['DISALLOW_UNAUTHENTICATED_API_ACCESS'],
  limited_federation_mode: ['LIMITED_FEDERATION_MODE', 'WHITELIST_MODE'],
  authorized_fetch: ['AUTHORIZED_FETCH'],
} as const

/** Those that are set; the others leave the stored setting as it is. */
export function readFixedSettings({ text, flag }: EnvironmentReader): FixedSettings {
  const fixed = Object.entries(FIXING_VARIABLES).flatMap(([setting, variables]) => {
    const variable = variables.find(name => text(name) !== undefined)
    return variable === undefined ? [] : [[setting, { value: flag(variable, false), variable }] as const]
  })
  return Object.fromEntries(fixed)
}
