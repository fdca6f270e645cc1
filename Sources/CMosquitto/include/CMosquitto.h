// SPDX-License-Identifier: Apache-2.0
// The MQTT client library of Eclipse Mosquitto, loaded when a broker is configured.
#ifndef CMOSQUITTO_H
#define CMOSQUITTO_H

#include <mosquitto.h>
#include <stdbool.h>

// Loads libmosquitto and prepares it, once. Returns false if it is not installed. Call it before any function of
// libmosquitto.
bool mosquitto_load(void);

#endif
