import { csvLine } from '../../auth/data_export/index.ts'
import { normaliseDomain } from '../../accounts/domain_blocks/index.ts'
import { SEVERITIES, type DomainRule } from '../../moderation/domain_rules/index.ts'
import { Response } from '../../platform/http/index.ts'
import { parseCsv } from '../../timelines/data_import/index.ts'

/** The columns of Mastodon's files. */
const COLUMNS = ['#domain', '#severity', '#reject_media', '#reject_reports', '#public_comment', '#obfuscate'] as const

export const MAX_ROWS = 2000

/** A rule in a file. */
export interface ImportedRule extends DomainRule {
  readonly domain: string
}

const csvFile = (name: string, text: string): Response =>
  new Response(200, 'text/csv; charset=utf-8', text, {
    'Cache-Control': 'private, no-store',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
  })

type ExportedRule = Omit<ImportedRule, 'severity' | 'private_comment'> & { readonly severity: string }

/** The rules as CSV, in the format that other servers import. */
export const rulesCsv = (rules: readonly ExportedRule[]): string =>
  csvLine(COLUMNS) +
  rules
    .map(rule =>
      csvLine([
        rule.domain,
        rule.severity,
        String(rule.reject_media),
        String(rule.reject_reports),
        rule.public_comment,
        String(rule.obfuscate),
      ]),
    )
    .join('')

/** Allowed domains as CSV. */
export const allowsCsv = (domains: readonly string[]): string =>
  csvLine(['#domain']) + domains.map(domain => csvLine([domain])).join('')

/** The rules as a download. */
export const rulesFile = (rules: readonly ExportedRule[]): Response => csvFile('domain_blocks.csv', rulesCsv(rules))

/** Allowed domains as a download. */
export const allowsFile = (domains: readonly string[]): Response => csvFile('domain_allows.csv', allowsCsv(domains))

/** The rows of a file; `invalid` counts those without a valid domain or severity. */
export interface ParsedRules {
  readonly rules: readonly ImportedRule[]
  readonly invalid: number
}

function parseDomain(text: string): string | undefined {
  try {
    return normaliseDomain(text)
  } catch {
    return undefined
  }
}

/**
 * Parses a file in Mastodon's format. Without a header, the first column has the domains. Without a
 * severity, the domains are suspended, as in Mastodon.
 * @returns undefined if it is not a CSV file or has too many rows
 */
export function parseRules(text: string): ParsedRules | undefined {
  const rows = parseCsv(text.replace(/^\uFEFF/, ''), MAX_ROWS + 1)
  if (!rows || rows.length > MAX_ROWS + 1) return undefined
  const names = rows[0]?.map(name => name.trim().replace(/^#/, '').toLowerCase()) ?? []
  const hasHeader = names.includes('domain')
  const findColumn = (name: string): number => (hasHeader ? names.indexOf(name) : name === 'domain' ? 0 : -1)
  const rules = new Map<string, ImportedRule>()
  let invalid = 0
  for (const cells of rows.slice(hasHeader ? 1 : 0)) {
    const cell = (name: string): string => cells[findColumn(name)]?.trim() ?? ''
    const isSet = (name: string): boolean => /^(true|t|1)$/i.test(cell(name))
    const domain = parseDomain(cell('domain'))
    const severity = SEVERITIES.find(candidate => candidate === (cell('severity').toLowerCase() || 'suspend'))
    if (domain === undefined || severity === undefined) {
      invalid += 1
      continue
    }
    rules.set(domain, {
      domain,
      severity,
      reject_media: isSet('reject_media'),
      reject_reports: isSet('reject_reports'),
      public_comment: cell('public_comment'),
      private_comment: '',
      obfuscate: isSet('obfuscate'),
    })
  }
  return { rules: [...rules.values()], invalid }
}
