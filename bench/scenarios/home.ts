import { startCeiling } from './ceilings.ts'
import { startLoad } from '../load/child.ts'
import type { RequestLoad, RequestOutcome } from '../load/requests.ts'
import type { Result } from '../report.ts'
import type { Scenario, Stage } from '../scenarios.ts'

const PATH = '/api/v1/timelines/home?limit=20'
const LOAD_WARNING = 0.9

async function load(
  stage: Stage,
  subject: string,
  url: string,
  path: string,
  tokens: readonly string[],
): Promise<Result> {
  stage.progress(`home: ${subject}, round ${stage.round} …`)
  const generator = startLoad('requests')
  try {
    const before = await stage.target.usage()
    const outcome = await generator.ask<RequestOutcome>({
      url,
      path,
      tokens,
      connections: stage.connections,
      warmupMs: stage.warmup * 1000,
      measureMs: stage.seconds * 1000,
    } satisfies RequestLoad)
    const after = await stage.target.usage()
    const own = subject === 'server' && before && after
    if (outcome.cpu > LOAD_WARNING)
      stage.progress(`the load generator was busy (${outcome.cpu.toFixed(2)} of a core): the figure is a lower bound\n`)
    return {
      scenario: 'home timeline',
      subject,
      round: stage.round,
      unit: 'requests',
      rate: outcome.requests / outcome.seconds,
      latency: outcome.latency,
      errors: outcome.errors,
      lost: 0,
      loadCpu: outcome.cpu,
      serverCpu: own ? (after.cpuSeconds - before.cpuSeconds) / (stage.seconds + stage.warmup) : undefined,
      serverMemoryBytes: own ? after.memoryBytes : undefined,
    }
  } finally {
    generator.close()
  }
}

async function sample(stage: Stage): Promise<string> {
  const answer = await fetch(stage.target.url + PATH, {
    headers: { authorization: `Bearer ${stage.target.tokens[0] ?? ''}`, 'accept-encoding': 'identity' },
  })
  if (!answer.ok) throw new Error(`${PATH} answers ${answer.status}: ${await answer.text()}`)
  return answer.text()
}

export const home: Scenario = {
  name: 'home',
  summary: 'home timeline reads by signed-in people, against bare routes with the same bytes',
  async measure(stage) {
    const ceiling = await startCeiling(await sample(stage), '', stage.target.dataDir)
    try {
      const results = [await load(stage, 'server', stage.target.url, PATH, stage.target.tokens)]
      results.push(await load(stage, 'bare route', ceiling.url, '/bare', []))
      if (stage.target.dataDir !== undefined)
        results.push(await load(stage, 'bare route + point query', ceiling.url, '/query', []))
      return results
    } finally {
      ceiling.close()
    }
  },
}
