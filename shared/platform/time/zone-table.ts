// Written by `npm run zones`: see docs/adr/0004-own-zone-data.md.

/** A weekday (0 = Sunday) on or after a day of a month (1 = January), a time of UTC, and the offset from then on. */
export type YearlyChange = readonly [month: number, day: number, weekday: number, time: string, offset: number];

/** Offsets are minutes east of UTC. */
export type ZoneRules = {
  /** All names of zones with these rules, separated by spaces. */
  names: string;
  /** Before the first change. */
  offset: number;
  /** When the clock changes (`YYYY-MM-DDTHH:MM` in UTC), and the offset from then on. */
  changes?: readonly (readonly [at: string, offset: number])[];
  /** The first year of the yearly changes; absent: they have no first year. */
  since?: number;
  yearly?: readonly YearlyChange[];
};

/** The version of the time zone database. */
export const timeZoneData = '2026f';

export const zoneTable: readonly ZoneRules[] = [
  { "names": "Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry Africa/Dakar Africa/Freetown Africa/Lome Africa/Monrovia Africa/Nouakchott Africa/Ouagadougou Africa/Sao_Tome Africa/Timbuktu America/Danmarkshavn Atlantic/Reykjavik Atlantic/St_Helena Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich Etc/UCT Etc/UTC Etc/Universal Etc/Zulu GMT GMT+0 GMT-0 GMT0 Greenwich Iceland UCT UTC Universal Zulu", "offset":0},
  { "names": "Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti Africa/Kampala Africa/Mogadishu Africa/Nairobi Antarctica/Syowa Asia/Aden Asia/Baghdad Asia/Bahrain Asia/Istanbul Asia/Kuwait Asia/Qatar Asia/Riyadh Etc/GMT-3 Europe/Istanbul Europe/Kirov Europe/Minsk Europe/Moscow Europe/Simferopol Indian/Antananarivo Indian/Comoro Indian/Mayotte Turkey W-SU", "offset":180},
  { "names": "Africa/Algiers Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos Africa/Libreville Africa/Luanda Africa/Malabo Africa/Ndjamena Africa/Niamey Africa/Porto-Novo Africa/Tunis Etc/GMT-1", "offset":60},
  { "names": "Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Johannesburg Africa/Khartoum Africa/Kigali Africa/Lubumbashi Africa/Lusaka Africa/Maputo Africa/Maseru Africa/Mbabane Africa/Tripoli Africa/Windhoek Etc/GMT-2 Europe/Kaliningrad Libya", "offset":120},
  { "names": "Africa/Cairo Egypt", "offset":120,"since":2023,"yearly":[[4,23,4,"22:00",180],[10,25,4,"21:00",120]]},
  { "names": "Africa/Casablanca Africa/El_Aaiun", "offset":60,"changes":[["2020-04-19T02:00",0],["2020-05-31T02:00",60],["2021-04-11T02:00",0],["2021-05-16T02:00",60],["2022-03-27T02:00",0],["2022-05-08T02:00",60],["2023-03-19T02:00",0],["2023-04-23T02:00",60],["2024-03-10T02:00",0],["2024-04-14T02:00",60],["2025-02-23T02:00",0],["2025-04-06T02:00",60],["2026-02-15T02:00",0],["2026-03-22T02:00",60],["2026-09-20T01:00",0]]},
  { "names": "Africa/Ceuta Arctic/Longyearbyen Atlantic/Jan_Mayen CET Europe/Amsterdam Europe/Andorra Europe/Belgrade Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Budapest Europe/Busingen Europe/Copenhagen Europe/Gibraltar Europe/Ljubljana Europe/Luxembourg Europe/Madrid Europe/Malta Europe/Monaco Europe/Oslo Europe/Paris Europe/Podgorica Europe/Prague Europe/Rome Europe/San_Marino Europe/Sarajevo Europe/Skopje Europe/Stockholm Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna Europe/Warsaw Europe/Zagreb Europe/Zurich MET Poland", "offset":60,"yearly":[[3,25,0,"01:00",120],[10,25,0,"01:00",60]]},
  { "names": "Africa/Juba", "offset":180,"changes":[["2021-01-31T21:00",120]]},
  { "names": "America/Adak America/Atka US/Aleutian", "offset":-600,"yearly":[[3,8,0,"12:00",-540],[11,1,0,"11:00",-600]]},
  { "names": "America/Anchorage America/Juneau America/Metlakatla America/Nome America/Sitka America/Yakutat US/Alaska", "offset":-540,"yearly":[[3,8,0,"11:00",-480],[11,1,0,"10:00",-540]]},
  { "names": "America/Anguilla America/Antigua America/Aruba America/Barbados America/Blanc-Sablon America/Boa_Vista America/Campo_Grande America/Caracas America/Cuiaba America/Curacao America/Dominica America/Grenada America/Guadeloupe America/Guyana America/Kralendijk America/La_Paz America/Lower_Princes America/Manaus America/Marigot America/Martinique America/Montserrat America/Port_of_Spain America/Porto_Velho America/Puerto_Rico America/Santo_Domingo America/St_Barthelemy America/St_Kitts America/St_Lucia America/St_Thomas America/St_Vincent America/Tortola America/Virgin Brazil/West Etc/GMT+4", "offset":-240},
  { "names": "America/Araguaina America/Argentina/Buenos_Aires America/Argentina/Catamarca America/Argentina/ComodRivadavia America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/La_Rioja America/Argentina/Mendoza America/Argentina/Rio_Gallegos America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman America/Argentina/Ushuaia America/Bahia America/Belem America/Buenos_Aires America/Catamarca America/Cayenne America/Cordoba America/Fortaleza America/Jujuy America/Maceio America/Mendoza America/Montevideo America/Paramaribo America/Punta_Arenas America/Recife America/Rosario America/Santarem America/Sao_Paulo Antarctica/Palmer Antarctica/Rothera Atlantic/Stanley Brazil/East Etc/GMT+3", "offset":-180},
  { "names": "America/Asuncion", "offset":-180,"changes":[["2020-03-22T03:00",-240],["2020-10-04T04:00",-180],["2021-03-28T03:00",-240],["2021-10-03T04:00",-180],["2022-03-27T03:00",-240],["2022-10-02T04:00",-180],["2023-03-26T03:00",-240],["2023-10-01T04:00",-180],["2024-03-24T03:00",-240],["2024-10-06T04:00",-180]]},
  { "names": "America/Atikokan America/Bogota America/Cancun America/Cayman America/Coral_Harbour America/Eirunepe America/Guayaquil America/Jamaica America/Lima America/Panama America/Porto_Acre America/Rio_Branco Brazil/Acre EST Etc/GMT+5 Jamaica", "offset":-300},
  { "names": "America/Bahia_Banderas America/Merida America/Mexico_City America/Monterrey Mexico/General", "offset":-360,"changes":[["2020-04-05T08:00",-300],["2020-10-25T07:00",-360],["2021-04-04T08:00",-300],["2021-10-31T07:00",-360],["2022-04-03T08:00",-300],["2022-10-30T07:00",-360]]},
  { "names": "America/Belize America/Costa_Rica America/El_Salvador America/Guatemala America/Managua America/Regina America/Swift_Current America/Tegucigalpa Canada/Saskatchewan Canada/East-Saskatchewan Etc/GMT+6 Pacific/Galapagos", "offset":-360},
  { "names": "America/Boise America/Cambridge_Bay America/Denver America/Shiprock MST7MDT Navajo US/Mountain", "offset":-420,"yearly":[[3,8,0,"09:00",-360],[11,1,0,"08:00",-420]]},
  { "names": "America/Chicago America/Indiana/Knox America/Indiana/Tell_City America/Knox_IN America/Matamoros America/Menominee America/North_Dakota/Beulah America/North_Dakota/Center America/North_Dakota/New_Salem America/Rankin_Inlet America/Resolute CST6CDT US/Central US/Indiana-Starke", "offset":-360,"yearly":[[3,8,0,"08:00",-300],[11,1,0,"07:00",-360]]},
  { "names": "America/Chihuahua", "offset":-420,"changes":[["2020-04-05T09:00",-360],["2020-10-25T08:00",-420],["2021-04-04T09:00",-360],["2021-10-31T08:00",-420],["2022-04-03T09:00",-360]]},
  { "names": "America/Ciudad_Juarez", "offset":-420,"changes":[["2020-03-08T09:00",-360],["2020-11-01T08:00",-420],["2021-03-14T09:00",-360],["2021-11-07T08:00",-420],["2022-03-13T09:00",-360],["2022-11-30T06:00",-420]],"since":2023,"yearly":[[3,8,0,"09:00",-360],[11,1,0,"08:00",-420]]},
  { "names": "America/Coyhaique", "offset":-180,"changes":[["2020-04-05T03:00",-240],["2020-09-06T04:00",-180],["2021-04-04T03:00",-240],["2021-09-05T04:00",-180],["2022-04-03T03:00",-240],["2022-09-11T04:00",-180],["2023-04-02T03:00",-240],["2023-09-03T04:00",-180],["2024-04-07T03:00",-240],["2024-09-08T04:00",-180]]},
  { "names": "America/Creston America/Dawson_Creek America/Fort_Nelson America/Hermosillo America/Phoenix Etc/GMT+7 MST US/Arizona", "offset":-420},
  { "names": "America/Dawson America/Whitehorse Canada/Yukon", "offset":-480,"changes":[["2020-03-08T10:00",-420]]},
  { "names": "America/Detroit America/Fort_Wayne America/Grand_Turk America/Indiana/Indianapolis America/Indiana/Marengo America/Indiana/Petersburg America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac America/Indianapolis America/Iqaluit America/Kentucky/Louisville America/Kentucky/Monticello America/Louisville America/Montreal America/Nassau America/New_York America/Nipigon America/Pangnirtung America/Port-au-Prince America/Thunder_Bay America/Toronto Canada/Eastern EST5EDT US/East-Indiana US/Eastern US/Michigan", "offset":-300,"yearly":[[3,8,0,"07:00",-240],[11,1,0,"06:00",-300]]},
  { "names": "America/Edmonton America/Inuvik America/Yellowknife Canada/Mountain", "offset":-420,"changes":[["2020-03-08T09:00",-360],["2020-11-01T08:00",-420],["2021-03-14T09:00",-360],["2021-11-07T08:00",-420],["2022-03-13T09:00",-360],["2022-11-06T08:00",-420],["2023-03-12T09:00",-360],["2023-11-05T08:00",-420],["2024-03-10T09:00",-360],["2024-11-03T08:00",-420],["2025-03-09T09:00",-360],["2025-11-02T08:00",-420],["2026-03-08T09:00",-360]]},
  { "names": "America/Ensenada America/Los_Angeles America/Santa_Isabel America/Tijuana Mexico/BajaNorte PST8PDT US/Pacific US/Pacific-New", "offset":-480,"yearly":[[3,8,0,"10:00",-420],[11,1,0,"09:00",-480]]},
  { "names": "America/Glace_Bay America/Goose_Bay America/Halifax America/Moncton America/Thule Atlantic/Bermuda Canada/Atlantic", "offset":-240,"yearly":[[3,8,0,"06:00",-180],[11,1,0,"05:00",-240]]},
  { "names": "America/Godthab America/Nuuk", "offset":-180,"changes":[["2020-03-29T01:00",-120],["2020-10-25T01:00",-180],["2021-03-28T01:00",-120],["2021-10-31T01:00",-180],["2022-03-27T01:00",-120],["2022-10-30T01:00",-180],["2023-03-26T01:00",-120]],"since":2024,"yearly":[[3,25,0,"01:00",-60],[10,25,0,"01:00",-120]]},
  { "names": "America/Havana Cuba", "offset":-300,"changes":[["2020-03-08T05:00",-240],["2020-11-01T05:00",-300],["2021-03-14T05:00",-240],["2021-11-07T05:00",-300],["2022-03-13T05:00",-240],["2022-11-06T05:00",-300],["2023-03-12T05:00",-240],["2023-11-05T05:00",-300],["2024-03-10T05:00",-240],["2024-11-03T05:00",-300],["2025-03-09T05:00",-240],["2025-11-02T05:00",-300],["2026-03-08T05:00",-240],["2027-11-07T05:00",-300]],"since":2028,"yearly":[[3,8,0,"05:00",-240],[11,1,0,"05:00",-300]]},
  { "names": "America/Mazatlan Mexico/BajaSur", "offset":-420,"changes":[["2020-04-05T09:00",-360],["2020-10-25T08:00",-420],["2021-04-04T09:00",-360],["2021-10-31T08:00",-420],["2022-04-03T09:00",-360],["2022-10-30T08:00",-420]]},
  { "names": "America/Miquelon", "offset":-180,"yearly":[[3,8,0,"05:00",-120],[11,1,0,"04:00",-180]]},
  { "names": "America/Noronha Atlantic/South_Georgia Brazil/DeNoronha Etc/GMT+2", "offset":-120},
  { "names": "America/Ojinaga", "offset":-420,"changes":[["2020-03-08T09:00",-360],["2020-11-01T08:00",-420],["2021-03-14T09:00",-360],["2021-11-07T08:00",-420],["2022-03-13T09:00",-360]],"since":2023,"yearly":[[3,8,0,"08:00",-300],[11,1,0,"07:00",-360]]},
  { "names": "America/Rainy_River America/Winnipeg Canada/Central", "offset":-360,"changes":[["2020-03-08T08:00",-300],["2020-11-01T07:00",-360],["2021-03-14T08:00",-300],["2021-11-07T07:00",-360],["2022-03-13T08:00",-300],["2022-11-06T07:00",-360],["2023-03-12T08:00",-300],["2023-11-05T07:00",-360],["2024-03-10T08:00",-300],["2024-11-03T07:00",-360],["2025-03-09T08:00",-300],["2025-11-02T07:00",-360],["2026-03-08T08:00",-300]]},
  { "names": "America/Santiago Chile/Continental", "offset":-180,"changes":[["2020-04-05T03:00",-240],["2020-09-06T04:00",-180],["2021-04-04T03:00",-240],["2021-09-05T04:00",-180],["2022-04-03T03:00",-240],["2022-09-11T04:00",-180]],"since":2023,"yearly":[[4,2,0,"03:00",-240],[9,2,0,"04:00",-180]]},
  { "names": "America/Scoresbysund", "offset":-60,"changes":[["2020-03-29T01:00",0],["2020-10-25T01:00",-60],["2021-03-28T01:00",0],["2021-10-31T01:00",-60],["2022-03-27T01:00",0],["2022-10-30T01:00",-60],["2023-03-26T01:00",0],["2023-10-29T01:00",-60],["2024-10-27T01:00",-120]],"since":2025,"yearly":[[3,25,0,"01:00",-60],[10,25,0,"01:00",-120]]},
  { "names": "America/St_Johns Canada/Newfoundland", "offset":-210,"yearly":[[3,8,0,"05:30",-150],[11,1,0,"04:30",-210]]},
  { "names": "America/Vancouver Canada/Pacific", "offset":-480,"changes":[["2020-03-08T10:00",-420],["2020-11-01T09:00",-480],["2021-03-14T10:00",-420],["2021-11-07T09:00",-480],["2022-03-13T10:00",-420],["2022-11-06T09:00",-480],["2023-03-12T10:00",-420],["2023-11-05T09:00",-480],["2024-03-10T10:00",-420],["2024-11-03T09:00",-480],["2025-03-09T10:00",-420],["2025-11-02T09:00",-480],["2026-03-08T10:00",-420]]},
  { "names": "Antarctica/Casey", "offset":660,"changes":[["2020-03-07T16:00",480],["2020-10-03T16:01",660],["2021-03-13T13:00",480],["2021-10-02T16:01",660],["2022-03-12T13:00",480],["2022-10-01T16:01",660],["2023-03-08T16:00",480]]},
  { "names": "Antarctica/Davis Asia/Bangkok Asia/Barnaul Asia/Ho_Chi_Minh Asia/Hovd Asia/Jakarta Asia/Krasnoyarsk Asia/Novokuznetsk Asia/Novosibirsk Asia/Phnom_Penh Asia/Pontianak Asia/Saigon Asia/Tomsk Asia/Vientiane Etc/GMT-7 Indian/Christmas", "offset":420},
  { "names": "Antarctica/DumontDUrville Asia/Ust-Nera Asia/Vladivostok Australia/Brisbane Australia/Lindeman Australia/Queensland Etc/GMT-10 Pacific/Chuuk Pacific/Guam Pacific/Port_Moresby Pacific/Saipan Pacific/Truk Pacific/Yap", "offset":600},
  { "names": "Antarctica/Macquarie Australia/ACT Australia/Canberra Australia/Currie Australia/Hobart Australia/Melbourne Australia/NSW Australia/Sydney Australia/Tasmania Australia/Victoria", "offset":660,"yearly":[[3,31,6,"16:00",600],[9,30,6,"16:00",660]]},
  { "names": "Antarctica/Mawson Asia/Aqtau Asia/Aqtobe Asia/Ashgabat Asia/Ashkhabad Asia/Atyrau Asia/Dushanbe Asia/Karachi Asia/Oral Asia/Qyzylorda Asia/Samarkand Asia/Tashkent Asia/Yekaterinburg Etc/GMT-5 Indian/Kerguelen Indian/Maldives", "offset":300},
  { "names": "Antarctica/McMurdo Antarctica/South_Pole NZ Pacific/Auckland", "offset":780,"yearly":[[3,31,6,"14:00",720],[9,23,6,"14:00",780]]},
  { "names": "Antarctica/Troll", "offset":0,"yearly":[[3,25,0,"01:00",120],[10,25,0,"01:00",0]]},
  { "names": "Antarctica/Vostok", "offset":420,"changes":[["2023-12-17T19:00",300]]},
  { "names": "Asia/Almaty Asia/Qostanay", "offset":360,"changes":[["2024-02-29T18:00",300]]},
  { "names": "Asia/Amman", "offset":120,"changes":[["2020-03-26T22:00",180],["2020-10-29T22:00",120],["2021-03-25T22:00",180],["2021-10-28T22:00",120],["2022-02-24T22:00",180]]},
  { "names": "Asia/Anadyr Asia/Kamchatka Etc/GMT-12 Kwajalein Pacific/Funafuti Pacific/Kwajalein Pacific/Majuro Pacific/Nauru Pacific/Tarawa Pacific/Wake Pacific/Wallis", "offset":720},
  { "names": "Asia/Baku Asia/Dubai Asia/Muscat Asia/Tbilisi Asia/Yerevan Etc/GMT-4 Europe/Astrakhan Europe/Samara Europe/Saratov Europe/Ulyanovsk Indian/Mahe Indian/Mauritius Indian/Reunion", "offset":240},
  { "names": "Asia/Beirut", "offset":120,"yearly":[[3,24,6,"22:00",180],[10,24,6,"21:00",120]]},
  { "names": "Asia/Bishkek Asia/Dacca Asia/Dhaka Asia/Kashgar Asia/Omsk Asia/Thimbu Asia/Thimphu Asia/Urumqi Etc/GMT-6 Indian/Chagos", "offset":360},
  { "names": "Asia/Brunei Asia/Choibalsan Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Hong_Kong Asia/Irkutsk Asia/Kuala_Lumpur Asia/Kuching Asia/Macao Asia/Macau Asia/Makassar Asia/Manila Asia/Shanghai Asia/Singapore Asia/Taipei Asia/Ujung_Pandang Asia/Ulaanbaatar Asia/Ulan_Bator Australia/Perth Australia/West Etc/GMT-8 Hongkong PRC ROC Singapore", "offset":480},
  { "names": "Asia/Calcutta Asia/Colombo Asia/Kolkata", "offset":330},
  { "names": "Asia/Chita Asia/Dili Asia/Jayapura Asia/Khandyga Asia/Pyongyang Asia/Seoul Asia/Tokyo Asia/Yakutsk Etc/GMT-9 Japan Pacific/Palau ROK", "offset":540},
  { "names": "Asia/Damascus", "offset":120,"changes":[["2020-03-26T22:00",180],["2020-10-29T21:00",120],["2021-03-25T22:00",180],["2021-10-28T21:00",120],["2022-03-24T22:00",180]]},
  { "names": "Asia/Famagusta Asia/Nicosia EET Europe/Athens Europe/Bucharest Europe/Helsinki Europe/Kiev Europe/Kyiv Europe/Mariehamn Europe/Nicosia Europe/Riga Europe/Sofia Europe/Tallinn Europe/Uzhgorod Europe/Vilnius Europe/Zaporozhye", "offset":120,"yearly":[[3,25,0,"01:00",180],[10,25,0,"01:00",120]]},
  { "names": "Asia/Gaza Asia/Hebron", "offset":120,"changes":[["2020-03-27T22:00",180],["2020-10-23T22:00",120],["2021-03-26T22:00",180],["2021-10-28T22:00",120],["2022-03-26T22:00",180],["2022-10-28T23:00",120],["2023-04-29T00:00",180],["2023-10-27T23:00",120],["2024-04-20T00:00",180],["2024-10-25T23:00",120],["2025-04-12T00:00",180],["2025-10-24T23:00",120],["2026-03-28T00:00",180],["2026-10-23T23:00",120],["2027-03-27T00:00",180],["2027-10-29T23:00",120],["2028-03-25T00:00",180],["2028-10-27T23:00",120],["2029-03-24T00:00",180],["2029-10-26T23:00",120],["2030-03-30T00:00",180],["2030-10-25T23:00",120],["2031-03-29T00:00",180],["2031-10-24T23:00",120],["2032-03-27T00:00",180],["2032-10-29T23:00",120],["2033-03-26T00:00",180],["2033-10-28T23:00",120],["2034-03-25T00:00",180],["2034-10-27T23:00",120],["2035-03-24T00:00",180],["2035-10-26T23:00",120],["2036-03-29T00:00",180],["2036-10-17T23:00",120],["2037-03-28T00:00",180],["2037-10-09T23:00",120]],"since":2038,"yearly":[[3,24,6,"00:00",180],[10,23,5,"23:00",120]]},
  { "names": "Asia/Jerusalem Asia/Tel_Aviv Israel", "offset":120,"yearly":[[3,23,5,"00:00",180],[10,24,6,"23:00",120]]},
  { "names": "Asia/Kabul", "offset":270},
  { "names": "Asia/Kathmandu Asia/Katmandu", "offset":345},
  { "names": "Asia/Magadan Asia/Sakhalin Asia/Srednekolymsk Etc/GMT-11 Pacific/Bougainville Pacific/Efate Pacific/Guadalcanal Pacific/Kosrae Pacific/Noumea Pacific/Pohnpei Pacific/Ponape", "offset":660},
  { "names": "Asia/Rangoon Asia/Yangon Indian/Cocos", "offset":390},
  { "names": "Asia/Tehran Iran", "offset":210,"changes":[["2020-03-20T20:30",270],["2020-09-20T19:30",210],["2021-03-21T20:30",270],["2021-09-21T19:30",210],["2022-03-21T20:30",270],["2022-09-21T19:30",210]]},
  { "names": "Atlantic/Azores", "offset":-60,"yearly":[[3,25,0,"01:00",0],[10,25,0,"01:00",-60]]},
  { "names": "Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe Atlantic/Madeira Eire Europe/Belfast Europe/Dublin Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/Lisbon Europe/London GB GB-Eire Portugal WET", "offset":0,"yearly":[[3,25,0,"01:00",60],[10,25,0,"01:00",0]]},
  { "names": "Atlantic/Cape_Verde Etc/GMT+1", "offset":-60},
  { "names": "Australia/Adelaide Australia/Broken_Hill Australia/South Australia/Yancowinna", "offset":630,"yearly":[[3,31,6,"16:30",570],[9,30,6,"16:30",630]]},
  { "names": "Australia/Darwin Australia/North", "offset":570},
  { "names": "Australia/Eucla", "offset":525},
  { "names": "Australia/LHI Australia/Lord_Howe", "offset":660,"yearly":[[3,31,6,"15:00",630],[9,30,6,"15:30",660]]},
  { "names": "Chile/EasterIsland Pacific/Easter", "offset":-300,"changes":[["2020-04-05T03:00",-360],["2020-09-06T04:00",-300],["2021-04-04T03:00",-360],["2021-09-05T04:00",-300],["2022-04-03T03:00",-360],["2022-09-11T04:00",-300]],"since":2023,"yearly":[[4,2,0,"03:00",-360],[9,2,0,"04:00",-300]]},
  { "names": "Etc/GMT+10 HST Pacific/Honolulu Pacific/Johnston Pacific/Rarotonga Pacific/Tahiti US/Hawaii", "offset":-600},
  { "names": "Etc/GMT+11 Pacific/Midway Pacific/Niue Pacific/Pago_Pago Pacific/Samoa US/Samoa", "offset":-660},
  { "names": "Etc/GMT+12", "offset":-720},
  { "names": "Etc/GMT+8 Pacific/Pitcairn", "offset":-480},
  { "names": "Etc/GMT+9 Pacific/Gambier", "offset":-540},
  { "names": "Etc/GMT-13 Pacific/Enderbury Pacific/Fakaofo Pacific/Kanton Pacific/Tongatapu", "offset":780},
  { "names": "Etc/GMT-14 Pacific/Kiritimati", "offset":840},
  { "names": "Europe/Chisinau Europe/Tiraspol", "offset":120,"changes":[["2020-03-29T00:00",180],["2020-10-25T00:00",120],["2021-03-28T00:00",180],["2021-10-31T00:00",120]],"since":2022,"yearly":[[3,25,0,"01:00",180],[10,25,0,"01:00",120]]},
  { "names": "Europe/Volgograd", "offset":240,"changes":[["2020-12-26T22:00",180]]},
  { "names": "NZ-CHAT Pacific/Chatham", "offset":825,"yearly":[[3,31,6,"14:00",765],[9,23,6,"14:00",825]]},
  { "names": "Pacific/Apia", "offset":840,"changes":[["2020-04-04T14:00",780],["2020-09-26T14:00",840],["2021-04-03T14:00",780]]},
  { "names": "Pacific/Fiji", "offset":780,"changes":[["2020-01-11T14:00",720],["2020-12-19T14:00",780],["2021-01-16T14:00",720]]},
  { "names": "Pacific/Marquesas", "offset":-570},
  { "names": "Pacific/Norfolk", "offset":720,"yearly":[[3,31,6,"15:00",660],[9,30,6,"15:00",720]]},
];
