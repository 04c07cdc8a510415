import { rankPopular } from './rank.ts'

export const jobs = [rankPopular]
