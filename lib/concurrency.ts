import { allRoutes } from '../shared/app/all-routes.ts';
import { connectResults, importFile } from '../shared/app/event-functions.ts';
import { authorizeRequest } from '../shared/app/gateway-functions.ts';
import { classOf, type DeployedFunction, deployedFunctions } from './deployed-functions.ts';
import type { RouteClass, StackSettings } from './settings/settings.ts';
import { StackSettingError } from './settings/stage-file.ts';

/** An export may run for 15 minutes: without a limit, one reader takes the account's functions from the dialers. */
const usualOfExport = 5;
/** Requests a second for each instance of a function: a request of a dialer takes about 50 ms. */
const dialsOfInstance = 20;
/** Lambda keeps so many of the account for the functions that reserve none. */
const neverReserved = 100;
/** What an account is given on request, and what a new one has, in which dev stages are tried. */
const usualOfAccount = 1000;
const newAccount = 10;

/** No request of a dialer gets past the authorizer. */
const classes: Readonly<Record<string, RouteClass>> = {
  [authorizeRequest.id]: 'dial',
  [connectResults.id]: 'dial',
  [importFile.id]: 'import',
};

const classOfFunction = ({ id }: Pick<DeployedFunction, 'id'>): RouteClass | undefined => {
  const route = allRoutes.find((each) => each.id === id);
  return route === undefined ? classes[id] : classOf(route);
};

type OfEach = Partial<Record<RouteClass, number>>;

/**
 * How many instances of each function of a class are reserved: they are kept for it, and it gets no more. The functions of dialers
 * have a share of their own, so that imports, exports and pages cannot starve them, where the account has room for it.
 * @throws StackSettingError if the file wants more than the account has
 */
export const reservedConcurrency = ({
  stage,
  disposable,
  concurrency,
  connect,
  throttles,
}: StackSettings): OfEach => {
  const { ofAccount, ofEach } = concurrency;
  const room = (ofAccount ?? (disposable ? newAccount : usualOfAccount)) - neverReserved;
  const countOf = (of: RouteClass) =>
    deployedFunctions.filter(
      (each) => classOfFunction(each) === of && !(each.needsConnect && connect === undefined),
    ).length;
  const reserved: OfEach = {};
  let left = room;
  const reserve = (of: RouteClass, count: number) => {
    reserved[of] = count;
    left -= count * countOf(of);
  };
  const wanted = Object.entries(ofEach) as [RouteClass, number | 'none' | undefined][];
  for (const [of, count] of wanted) if (typeof count === 'number') reserve(of, count);
  if (ofAccount !== undefined && left < Math.min(0, room))
    throw new StackSettingError(
      `stages/${stage}.json: accountConcurrency: leaves ${room} to reserve, and the functions of the stage reserve ${room - left}`,
    );
  const usual: [RouteClass, number][] = [
    ['export', usualOfExport],
    ['dial', Math.ceil(throttles.dial.rate / dialsOfInstance)],
  ];
  for (const [of, count] of usual)
    if (ofEach[of] === undefined && count * countOf(of) <= left) reserve(of, count);
  return reserved;
};

export const concurrencyOf = (
  deployed: Pick<DeployedFunction, 'id'>,
  reserved: OfEach,
): number | undefined => {
  const of = classOfFunction(deployed);
  return of && reserved[of];
};
