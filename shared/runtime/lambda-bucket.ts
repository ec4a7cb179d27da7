import { type LazyObjects, lazyObjects } from '../store/objects/lazy-objects.ts';
import { neededSetting } from './environment.ts';

export const lambdaObjects = (): LazyObjects =>
  lazyObjects(() => ({ region: neededSetting('AWS_REGION'), bucket: neededSetting('BUCKET_NAME') }));
